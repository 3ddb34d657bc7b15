import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Identity } from "../contract/run-record.ts";
import { asked } from "../lib/asked.ts";
import { currentRun, unrecordedShim } from "../lib/current-run.ts";
import { askJson } from "../lib/http-json.ts";
import type { Places } from "../lib/places.ts";
import { runFiles } from "../lib/run-files.ts";
import { livingMembers } from "../lib/run-members.ts";
import { askForFiles, isLiving, relaunch, signalMembers } from "../lib/shim.ts";
import { limited, until } from "../lib/wait.ts";
import { readyOf } from "./fleet.ts";

type Way = {
  readonly places: Places;
  /** Throws once it is not to be done any more. */
  readonly check: () => void;
  readonly signal: AbortSignal;
};

const lookEveryMs = 100;
// What SIGKILL does not end within it sleeps in the kernel.
const killLimitMs = 30_000;

/** Ends one process and all that descend from it, and proves it. Throws, in words, where somebody is left. */
export async function stopProcess(
  name: string,
  { places, stopMs, check, signal }: Way & { readonly stopMs: number },
): Promise<void> {
  const left = (): readonly Identity[] => leftOf(name, places);
  const hasEnded = (): true | undefined => {
    check();
    return left().length === 0 || undefined;
  };
  const ended = async (limitMs: number): Promise<true | undefined> =>
    await until(hasEnded, { everyMs: lookEveryMs, limitMs, signal });
  const files = runFiles(places, name);
  // What the next start needs, while there still is somebody to ask for it.
  const unrecorded = unrecordedShim(files);
  if (unrecorded !== undefined) await askForFiles(unrecorded);
  const shim = currentRun(files)?.shim;
  // The shim passes it on to the program and sees to the rest.
  await signalMembers(shim === undefined ? left() : [shim], "SIGTERM");
  if (await ended(stopMs)) return;
  // The shim last: it is the proof that nobody else is left.
  await signalMembers(
    left().filter(({ pid }) => pid !== shim?.pid),
    "SIGKILL",
  );
  if (await ended(killLimitMs)) return;
  throw new Error(
    `${name} has not ended: ${left()
      .map(({ pid }) => `process ${pid}`)
      .join(", ")}`,
  );
}

/** Starts it again as it was started last, and waits until it serves. Throws, in words, where it does not. */
export async function startProcess(
  name: string,
  { places, startMs, check, signal }: Way & { readonly startMs: number },
): Promise<void> {
  rmSync(join(places.run, `${name}.ready`), { force: true });
  await relaunch(join(places.run, `${name}.launch`));
  const serves = await until(
    async () => {
      check();
      const { exit } = currentRun(runFiles(places, name)) ?? {};
      if (exit !== undefined) throw new Error(`${name} ended while it started: ${JSON.stringify(exit)}`);
      const url = readyOf(places, name)?.url;
      return url !== undefined && (await isHealthy(url, signal)) ? true : undefined;
    },
    { everyMs: lookEveryMs, limitMs: startMs, signal },
  );
  if (serves === undefined) throw new Error(`${name} was not ready within ${startMs / 1_000} s`);
}

// Everyone who is known to be of it: what holds it, by descent, and whom the daemon has seen in it.
function leftOf(name: string, places: Places): readonly Identity[] {
  const files = runFiles(places, name);
  const shim = currentRun(files)?.shim;
  return [...(shim === undefined ? [] : [shim]), ...livingMembers(files)].filter(isLiving);
}

async function isHealthy(url: string, signal: AbortSignal): Promise<boolean> {
  const answer = await asked(async () => await askJson({ url: `${url}/health` }, { signal: limited(3_000, signal) }));
  return answer.kind === "answered" && answer.value.status === 200;
}
