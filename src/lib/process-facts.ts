import { readFileSync } from "node:fs";
import type { ProcessIdentity } from "./processes.ts";

/** What the kernel says of a group of processes: it says so also while none of them answers. */
export type GroupFacts = {
  /** Of the first one: R, S, D, T, Z; X where it is gone. */
  readonly state: string;
  readonly living: number;
  /** Of all that live, and of the children that they have seen end. */
  readonly cpuSeconds: number;
  /** Pages that several share count for each. */
  readonly rssBytes: number;
};

/**
 * Looks in /proc; a number that another process has by now is not counted. Undefined where there is nobody to look for,
 * or the kernel does not let us look: that is unknown, and not the end of anyone.
 */
export function groupFacts(members: readonly ProcessIdentity[]): GroupFacts | undefined {
  const [main] = members;
  try {
    return main === undefined ? undefined : factsOf(main, members);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function factsOf(main: ProcessIdentity, members: readonly ProcessIdentity[]): GroupFacts {
  const living = members.flatMap((one) => lineOf(one) ?? []);
  const mainLine = living.find(({ pid }) => pid === main.pid);
  return {
    state: mainLine?.state ?? "X",
    living: living.filter(({ state }) => state !== "Z" && state !== "X").length,
    cpuSeconds: living.reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond,
    rssBytes: living.reduce((sum, { pid }) => sum + rssBytesOf(pid), 0),
  };
}

// USER_HZ: fixed for programs on every architecture that Linux runs on here, whatever the kernel's own pace.
const ticksPerSecond = 100;

type Line = { readonly pid: number; readonly state: string; readonly ticks: number };

function lineOf({ pid, startTicks }: ProcessIdentity): Line | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name may hold spaces and brackets: fields count from the last one.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  if (Number(fields[startField]) !== startTicks) return undefined;
  return { pid, state: fields[0] ?? "?", ticks: cpuFields.reduce((sum, at) => sum + Number(fields[at]), 0) };
}

// Of proc(5), counted from the state: utime, stime, and both of children that were waited for.
const cpuFields = [11, 12, 13, 14];
const startField = 19;

// Not from stat: that counts pages, whose size differs between machines.
function rssBytesOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`) ?? "")?.[1];
  return kilobytes === undefined ? 0 : Number(kilobytes) * 1024;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH"))
      return undefined;
    throw error;
  }
}
