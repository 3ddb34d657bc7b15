import { readFileSync, readlinkSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { allStats, type ProcessStat } from "./processes.ts";

export type RunningShim = ProcessStat & {
  /** Of the process that it holds, by the name of its launch file. */
  readonly name: string;
};

const ending = ".launch";

/**
 * The shims that hold something of this run folder, the oldest first: what the kernel says of them, whatever has become
 * of the files there. A shim of another user cannot be looked at, and is none of ours.
 */
export function runningShims(run: string, everyone: readonly ProcessStat[] = allStats()): RunningShim[] {
  const found = everyone.flatMap((one) => {
    const launch = launchHeldBy(one.pid);
    const isOurs = launch?.endsWith(ending) && isSameFolder(dirname(launch), run);
    return launch !== undefined && isOurs ? [{ ...one, name: basename(launch, ending) }] : [];
  });
  // Until it runs its program, what a shim has forked looks like the shim itself.
  const pids = new Set(found.map(({ pid }) => pid));
  return found.filter(({ parent }) => !pids.has(parent)).sort((a, b) => a.startTicks - b.startTicks);
}

// `pdctl-shim hold FILE`; the program itself is looked at too, since arguments can be anyone's.
function launchHeldBy(pid: number): string | undefined {
  const proc = join("/proc", String(pid));
  const [program = "", verb, launch] = readOr(() => readFileSync(join(proc, "cmdline"), "utf8").split("\0")) ?? [];
  if (basename(program) !== "pdctl-shim" || verb !== "hold" || !launch) return undefined;
  const running = readOr(() => basename(readlinkSync(join(proc, "exe"))));
  if (running === undefined || !/^pdctl-shim( \(deleted\))?$/.test(running)) return undefined;
  return isAbsolute(launch) ? launch : readOr(() => join(readlinkSync(join(proc, "cwd")), launch));
}

function isSameFolder(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [one, other].map((path) => readOr(() => statSync(path)));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

// Gone meanwhile, or not ours to look at.
function readOr<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
