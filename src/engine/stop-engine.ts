import type { HttpFront } from "../lib/http-front.ts";
import type { EngineParts } from "./engine-parts.ts";

// The engine answers its stop within a step; a step that never ends must not keep the process.
const nativeStopMsMax = 10_000;
const lastBytesMs = 1_000;
const lookEveryMs = 20;

/** Takes nothing new, lets running answers end for `limitMs`, fails the rest, and closes. */
export async function stopEngine(front: HttpFront, parts: EngineParts, limitMs: number): Promise<void> {
  const { native, answers, log } = parts;
  log.info({ open: answers.size, limitMs }, "stopping");
  native.drain(true);
  await until(() => answers.size === 0, limitMs);
  let stopped = false;
  const stopping = native.stop().then(() => {
    stopped = true;
  });
  await Promise.race([stopping, until(() => stopped, nativeStopMsMax)]);
  if (!stopped) log.error("the engine's loop did not stop in time");
  answers.failAll({ code: "shutdown", words: `Engine ${parts.name} was stopped.` });
  await front.close(lastBytesMs);
}

async function until(done: () => boolean, limitMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const endMs = performance.now() + limitMs;
  const look = setInterval(() => {
    if (done() || performance.now() >= endMs) resolve();
  }, lookEveryMs);
  await promise;
  clearInterval(look);
}
