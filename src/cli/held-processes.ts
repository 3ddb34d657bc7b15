import { readdirSync } from "node:fs";
import { currentRun } from "../lib/current-run.ts";
import type { Places } from "../lib/places.ts";
import type { ProcessIdentity } from "../lib/processes.ts";
import { runFiles } from "../lib/run-files.ts";
import { livingMembers } from "../lib/run-members.ts";
import { runningShims } from "../lib/running-shims.ts";
import { isLiving } from "../lib/shim.ts";
import { knownProcess } from "./known-process.ts";

/** One launched process, by what holds it and by what any file says of it, and who of its group lives. */
export type HeldProcess = {
  readonly name: string;
  /** Undefined where it is gone, or nobody knows it any more. */
  readonly shim: ProcessIdentity | undefined;
  readonly living: readonly ProcessIdentity[];
};

type Ground = Pick<Places, "run" | "logs">;

/** Every group of the fleet in which somebody verified lives. What is of another boot or namespace is foreign. */
export function heldProcesses(places: Ground): HeldProcess[] {
  const held = runningShims(places.run).map(({ name }) => name);
  return [...new Set([...namesIn(places.run), ...held])]
    .sort()
    .map((name) => heldProcess(places, name))
    .filter(({ living }) => living.length > 0);
}

/** Everyone of the fleet who is known and lives: daemon, watchdog, and what they have launched. */
export function everyone(places: Ground): ProcessIdentity[] {
  const own = (["daemon", "watchdog"] as const).flatMap((who) => knownProcess(places, who) ?? []);
  return [...own, ...heldProcesses(places).flatMap(({ living }) => living)];
}

/** The group itself, without what holds it: who is signalled to end it at once. */
export function withoutShim({ shim, living }: HeldProcess): ProcessIdentity[] {
  return living.filter(({ pid }) => pid !== shim?.pid);
}

// The shim is there as long as anyone whom it holds; a child whose shim was killed goes with it, its children may not.
function heldProcess(places: Ground, name: string): HeldProcess {
  const files = runFiles(places, name);
  const shim = currentRun(files)?.shim;
  const living = [...(shim === undefined ? [] : [shim]), ...livingMembers(files)].filter(isLiving);
  return { name, shim, living };
}

// Whoever has left any of the files that tell of a run.
function namesIn(run: string): string[] {
  const ending = /(?:\.members)?\.json$|\.launch$/;
  return entries(run).flatMap((file) => (ending.test(file) && !file.startsWith(".") ? [file.replace(ending, "")] : []));
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code))) return [];
    throw error;
  }
}
