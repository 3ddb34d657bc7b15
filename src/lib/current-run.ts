import { readFileSync } from "node:fs";
import { readLaunchFile } from "./launch-file.ts";
import { allStats, bootId, isAlive, type ProcessIdentity, type ProcessStat } from "./processes.ts";
import type { RunFiles } from "./run-files.ts";
import { isOfThisBoot, pidNamespace, type RunRecord, readRunRecord } from "./run-record.ts";
import { type RunningShim, runningShims } from "./running-shims.ts";

/**
 * The run that lives, else the last one on record. A record alone proves nothing: it may be lost, cut, or of a run
 * before. So it counts as it stands while its shim lives; otherwise the kernel is asked for a shim that holds this very
 * launch file. Only where there is none, too, does nobody live.
 */
export function currentRun(files: RunFiles): RunRecord | undefined {
  const onRecord = runOnRecord(files);
  if (onRecord !== undefined && isAlive(onRecord.shim)) return onRecord;
  const everyone = allStats();
  const shim = runningShims(files.run, everyone).find(({ name }) => name === files.name);
  return shim === undefined ? onRecord : runUnder(shim, files, everyone);
}

// What the record says, when it is of this name and on this machine since its last boot.
function runOnRecord({ record, name }: RunFiles): RunRecord | undefined {
  const found = readRunRecord(record);
  return found !== undefined && found.name === name && isOfThisBoot(found) ? found : undefined;
}

/** The shim of a run that lives, where its own files do not tell of it. */
export function unrecordedShim(files: RunFiles, run = currentRun(files)): ProcessIdentity | undefined {
  if (run === undefined || !isAlive(run.shim)) return undefined;
  const isTold = runOnRecord(files)?.shim.pid === run.shim.pid && launchedGeneration(files) !== undefined;
  return isTold ? undefined : run.shim;
}

/** How often the process was started, as far as any file knows; 0 where none does. */
export function generationOf(files: RunFiles): number {
  return Math.max(readRunRecord(files.record)?.generation ?? 0, launchedGeneration(files) ?? 0);
}

// What the record would say, but for how it may have ended: a shim that lives has not proven its end.
function runUnder(shim: RunningShim, files: RunFiles, everyone: readonly ProcessStat[]): RunRecord {
  const { pid, startTicks, name } = shim;
  // The program is the first that it has started; who was orphaned came to it later.
  const [child] = everyone.filter(({ parent }) => parent === pid).sort((a, b) => a.startTicks - b.startTicks);
  return {
    name,
    generation: launchedGeneration(files) ?? 0,
    ...{ bootId: bootId(), pidNamespace: pidNamespace(), session: pid, beganUnixMs: bootedUnixMs() + startTicks * 10 },
    shim: { pid, startTicks },
    ...(child === undefined ? {} : { child: { pid: child.pid, startTicks: child.startTicks } }),
    ...{ empty: false, droppedBytes: 0 },
  };
}

function launchedGeneration({ launch }: RunFiles): number | undefined {
  try {
    return readLaunchFile(launch)?.generation;
  } catch {
    // Cut or overwritten: it is written anew before each start, and says nothing until then.
    return undefined;
  }
}

// Ticks count from the boot, 100 in a second for every program.
function bootedUnixMs(): number {
  return Number(/^btime (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1] ?? 0) * 1_000;
}
