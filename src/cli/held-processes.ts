import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Places } from "../lib/places.ts";
import { bootId, type ProcessIdentity } from "../lib/processes.ts";
import { descendants, isLiving, type RunRecord, readRunRecord } from "../lib/shim.ts";
import { knownProcess } from "./known-process.ts";

/** One launched process that a record speaks of, and who of its group lives. */
export type HeldProcess = { readonly record: RunRecord; readonly living: readonly ProcessIdentity[] };

/** Every group of the fleet in which somebody verified lives. What is of another boot or namespace is foreign. */
export function heldProcesses({ run }: Pick<Places, "run">): HeldProcess[] {
  const boot = bootId();
  const namespace = ownPidNamespace();
  return entries(run)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .flatMap((name) => readRunRecord(join(run, name)) ?? [])
    .filter((record) => record.bootId === boot && record.pidNamespace === namespace)
    .map((record) => ({ record, living: livingOf(record) }))
    .filter(({ living }) => living.length > 0);
}

/** Everyone of the fleet whom a record names and who lives: daemon, watchdog, and what they have launched. */
export function everyone(places: Pick<Places, "run">): ProcessIdentity[] {
  const own = (["daemon", "watchdog"] as const).flatMap((who) => knownProcess(places, who) ?? []);
  return [...own, ...heldProcesses(places).flatMap(({ living }) => living)];
}

/** The group itself, without what holds it: who is signalled to end it at once. */
export function withoutShim({ record, living }: HeldProcess): ProcessIdentity[] {
  return living.filter(({ pid }) => pid !== record.shim.pid);
}

// The shim is there as long as anyone whom it holds; a child whose shim was killed goes with it, its children may not.
function livingOf({ shim, child }: RunRecord): ProcessIdentity[] {
  const known = [shim, ...(child === undefined ? [] : [child])].flatMap((one) => [one, ...descendants(one)]);
  return [...new Map(known.filter(isLiving).map((one) => [one.pid, one])).values()];
}

function ownPidNamespace(): string {
  return readlinkSync("/proc/self/ns/pid").replace(/^pid:\[(\d+)\]$/, "$1");
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code))) return [];
    throw error;
  }
}
