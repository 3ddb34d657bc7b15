import { readdirSync, readFileSync } from "node:fs";

export type Process = { readonly pid: number; readonly command: string };

/** Every living process that belongs to a home: it is named in its environment or its arguments. */
export function processesOf(home: string): Process[] {
  return pids().flatMap((pid) => {
    const command = read(pid, "cmdline").replaceAll("\0", " ");
    const ours = command.includes(home) || read(pid, "environ").includes(home);
    return ours && pid !== process.pid && !isZombie(pid) ? [{ pid, command }] : [];
  });
}

export function isAlive(pid: number): boolean {
  return read(pid, "stat") !== "" && !isZombie(pid);
}

function pids(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function isZombie(pid: number): boolean {
  const stat = read(pid, "stat");
  return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
}

/** A process may end between two looks: then there is nothing to read. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
