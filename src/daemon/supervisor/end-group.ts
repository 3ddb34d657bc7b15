import { type GroupRecord, livingMembers, signalGroup, signalProcess } from "../../lib/process-group.ts";
import type { ProcessIdentity } from "../../lib/processes.ts";
import { until } from "../../lib/wait.ts";

/** How long a group that got SIGKILL may take to be empty: a process in a driver call ends late. */
const killLimitMs = 10_000;
const lookEveryMs = 40;

export type EndOptions = {
  readonly group: () => GroupRecord;
  /** How long SIGTERM is given; it is cut short when `now` aborts. */
  readonly graceMs: number;
  readonly now: AbortSignal;
};

/** SIGTERM to the leader, SIGKILL to the group, then a look that it is empty. Returns who is still there. */
export async function endGroup({ group, graceMs, now }: EndOptions): Promise<readonly ProcessIdentity[]> {
  const [leader] = group().members;
  if (leader !== undefined && !now.aborted && signalProcess(leader, "SIGTERM")) {
    await emptied(group, graceMs, now);
  }
  if (!signalGroup(group(), "SIGKILL")) return [];
  await emptied(group, killLimitMs, AbortSignal.timeout(killLimitMs));
  return livingMembers(group());
}

// Waits until the group is empty, the time is over, or the signal aborts.
async function emptied(group: () => GroupRecord, limitMs: number, signal: AbortSignal): Promise<void> {
  const isEmpty = (): true | undefined => (livingMembers(group()).length === 0 ? true : undefined);
  try {
    await until(isEmpty, { everyMs: lookEveryMs, limitMs, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
