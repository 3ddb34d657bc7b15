import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Places } from "../lib/places.ts";
import { writeWhole } from "../lib/private-files.ts";

/** When this machine's last co-restart by a watchdog was; another watchdog than this one may have done it. */
export function lastCoRestartMs({ run }: Places, nowMs: number): number | undefined {
  try {
    const atMs = Number(readFileSync(join(run, "watchdog.co-restart"), "utf8"));
    // Later than now: the machine was started again since, and its clock with it.
    return atMs <= nowMs ? atMs : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

export function noteCoRestart({ run }: Places, nowMs: number): void {
  writeWhole(join(run, "watchdog.co-restart"), `${nowMs}\n`);
}
