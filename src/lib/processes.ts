import { readdirSync, readFileSync } from "node:fs";

/** A process, told apart from a later one with the same number by the tick it started at. */
export type ProcessIdentity = { readonly pid: number; readonly startTicks: number };

export type ProcessStat = ProcessIdentity & {
  readonly parent: number;
  readonly state: string;
};

/** What /proc says of a process; undefined when there is none. */
export function processStat(pid: number): ProcessStat | undefined {
  const text = readProc(pid);
  if (text === undefined) return undefined;
  // The name may hold spaces and brackets: fields count from the last one.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return {
    pid,
    state: fields[0] ?? "?",
    parent: Number(fields[1]),
    startTicks: Number(fields[19]),
  };
}

/** Whether exactly this process still runs. One that has ended and waits for its parent does not. */
export function isAlive({ pid, startTicks }: ProcessIdentity): boolean {
  const found = processStat(pid);
  return found !== undefined && found.startTicks === startTicks && !hasEnded(found);
}

/** Everything that runs here. */
export function allStats(): ProcessStat[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processStat(Number(name)) ?? [])
    .filter((found) => !hasEnded(found));
}

/** Of the running system: process numbers mean nothing after a reboot. */
export function bootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}

function hasEnded({ state }: ProcessStat): boolean {
  return state === "Z" || state === "X";
}

function readProc(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH"))
      return undefined;
    throw error;
  }
}
