import type { HttpFront } from "../lib/http-front.ts";
import { untilDone } from "../lib/until-done.ts";
import type { EngineParts } from "./engine-parts.ts";

// The engine answers its stop within a step; a step that never ends must not keep the process.
const nativeStopMsMax = 10_000;
const lastBytesMs = 1_000;

/** Takes nothing new, lets running answers end for `limitMs`, fails the rest, and closes. */
export async function stopEngine(front: HttpFront, parts: EngineParts, limitMs: number): Promise<void> {
  const { native, answers, log } = parts;
  log.info({ open: answers.size, limitMs }, "stopping");
  native.drain(true);
  await untilDone(() => answers.size === 0, limitMs);
  let stopped = false;
  const stopping = native.stop().then(() => {
    stopped = true;
  });
  await Promise.race([stopping, untilDone(() => stopped, nativeStopMsMax)]);
  if (!stopped) log.error("the engine's loop did not stop in time");
  answers.failAll({ code: "shutdown", words: `Engine ${parts.name} was stopped.` });
  await front.close(lastBytesMs);
}
