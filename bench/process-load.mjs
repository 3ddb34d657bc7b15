import { readFileSync } from "node:fs";

// Of every Linux that Node runs on.
const ticksPerS = 100;

/** What a process and its threads have used of the processor until now. */
export function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerS; // utime and stime
}

/** What it holds of memory, where shared pages count once. */
export function pssMb(pid) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return (Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) * 1024) / 1e6;
}
