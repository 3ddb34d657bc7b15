import { PdctlError } from "../../contract/errors.ts";
import type { Identity } from "../../contract/run-record.ts";
import { descendants, isLiving, signalMembers } from "../../lib/shim.ts";
import { until } from "../../lib/wait.ts";
import { membersOnRecord, type RunFiles, runOnRecord } from "./run-files.ts";

/** How long the shim gives what the process left behind, between SIGTERM and SIGKILL. */
export const leftoverGraceMs = 2_000;
/** How long what got SIGKILL may take to be gone: a process in a driver call ends late. */
const killLimitMs = 10_000;
const lookEveryMs = 40;

export type EndOptions = {
  /** How long SIGTERM is given; 0 sends none. */
  readonly graceMs: number;
  /** Cuts every grace short. */
  readonly now: AbortSignal;
};

/**
 * Ends the run on record: SIGTERM to the process, then SIGKILL to everyone of it. The shim is spared for as long as
 * it may prove that nobody is left. Returns who is still there; every signal goes to a verified identity.
 */
export async function endRun(files: RunFiles, { graceMs, now }: EndOptions): Promise<readonly Identity[]> {
  const child = runOnRecord(files)?.child;
  if (graceMs > 0 && !now.aborted && child !== undefined && isLiving(child)) {
    await signalMembers([child], "SIGTERM");
    await waited(() => !isLiving(child), graceMs, now);
    await waited(() => isEmpty(files), leftoverGraceMs + lookEveryMs, now);
  }
  if (!isEmpty(files)) {
    await signalMembers(livingMembers(files), "SIGKILL");
    await waited(() => isEmpty(files), killLimitMs);
  }
  const shim = runOnRecord(files)?.shim;
  if (shim !== undefined && isLiving(shim)) await endShim(files, shim);
  return livingMembers(files);
}

/** The same, for whoever goes on only when nobody is left. */
export async function endWhole(name: string, files: RunFiles, options: EndOptions): Promise<void> {
  const left = await endRun(files, options);
  if (left.length === 0) return;
  const pids = left.map(({ pid }) => pid).join(", ");
  throw new PdctlError(
    "stop-incomplete",
    `${name}: processes ${pids} have not ended after SIGKILL.`,
    "they hang in the kernel: look at /proc/PID/stack, then try again",
  );
}

/** The members of the run that live: the process, what descends from the shim, and who was seen before. */
export function livingMembers(files: RunFiles): readonly Identity[] {
  const record = runOnRecord(files);
  const child = record?.child === undefined ? [] : [record.child];
  const below = record !== undefined && isLiving(record.shim) ? descendants(record.shim) : [];
  const known = [...child, ...below, ...membersOnRecord(files)];
  const one = new Map(known.map((identity) => [`${identity.pid} ${identity.startTicks}`, identity]));
  return [...one.values()].filter((identity) => isLiving(identity));
}

/** Proof that nobody of the run is left: the shim's own word, or nobody living of whom it is known. */
function isEmpty(files: RunFiles): boolean {
  const record = runOnRecord(files);
  if (record?.empty) return true;
  return (record === undefined || !isLiving(record.shim)) && livingMembers(files).length === 0;
}

// It ends by itself right after it is empty. One that does not, or that hangs before, is of no use any more.
async function endShim(files: RunFiles, shim: Identity): Promise<void> {
  if (runOnRecord(files)?.empty && (await waited(() => !isLiving(shim), killLimitMs))) return;
  await signalMembers([...livingMembers(files), shim], "SIGKILL");
  await waited(() => !isLiving(shim) && livingMembers(files).length === 0, killLimitMs);
}

async function waited(done: () => boolean, limitMs: number, now?: AbortSignal): Promise<boolean> {
  const signal = now ?? AbortSignal.timeout(limitMs + killLimitMs);
  try {
    return (await until(() => done() || undefined, { everyMs: lookEveryMs, limitMs, signal })) ?? false;
  } catch (error) {
    if (now?.aborted) return done();
    throw error;
  }
}
