import { PdctlError } from "../../contract/errors.ts";
import type { Identity, RunRecord } from "../../contract/run-record.ts";
import { currentRun } from "../../lib/current-run.ts";
import { processStat } from "../../lib/processes.ts";
import type { RunFiles } from "../../lib/run-files.ts";
import { livingMembers } from "../../lib/run-members.ts";
import { isLiving, signalMembers } from "../../lib/shim.ts";
import { until } from "../../lib/wait.ts";

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
  /** Asked before each signal; throws where this process may not signal any more. */
  readonly mayAct: () => void;
};

/**
 * Ends the run: SIGTERM to the process, then SIGKILL to everyone of it. The shim is spared for as long as
 * it may prove that nobody is left. Returns who is still there; every signal goes to a verified identity.
 */
export async function endRun(files: RunFiles, { graceMs, now, mayAct }: EndOptions): Promise<readonly Identity[]> {
  const first = currentRun(files);
  const { child, shim } = first ?? {};
  // Somebody who took over may have started it again meanwhile: that run is not the one that is meant.
  const isOther = (): boolean => isAnother(currentRun(files), first);
  const living = (): readonly Identity[] => (isOther() ? [] : livingMembers(files));
  const isOver = (): boolean => isOther() || isEmpty(files);
  const send = async (to: readonly Identity[], signal: NodeJS.Signals): Promise<void> => {
    mayAct();
    await signalMembers(to, signal);
  };
  if (graceMs > 0 && !now.aborted && child !== undefined && canHear(child)) {
    await send([child], "SIGTERM");
    await waited(() => !isLiving(child), graceMs, now);
    await waited(isOver, leftoverGraceMs + lookEveryMs, now);
  }
  if (!isOver()) {
    await send(living(), "SIGKILL");
    await waited(isOver, killLimitMs);
  }
  // It ends by itself right after it is empty. One that does not, or that hangs before, is of no use any more.
  if (shim !== undefined && isLiving(shim) && !(isOver() && (await waited(() => !isLiving(shim), killLimitMs)))) {
    await send([...living(), shim], "SIGKILL");
    await waited(() => !isLiving(shim) && isOver(), killLimitMs);
  }
  return isOver() ? [] : living();
}

// One that is stopped hears nothing but SIGKILL: waiting for it would only be time lost.
function canHear(child: Identity): boolean {
  return isLiving(child) && processStat(child.pid)?.state !== "T";
}

function isAnother(record: RunRecord | undefined, first: RunRecord | undefined): boolean {
  const [now, before] = [record?.shim, first?.shim];
  return now !== undefined && before !== undefined && (now.pid !== before.pid || now.startTicks !== before.startTicks);
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

/** Proof that nobody of the run is left: the shim's own word, or neither a shim nor anybody who was ever seen. */
function isEmpty(files: RunFiles): boolean {
  const record = currentRun(files);
  if (record?.empty) return true;
  return (record === undefined || !isLiving(record.shim)) && livingMembers(files).length === 0;
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
