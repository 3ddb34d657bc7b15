import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "./private-files.ts";
import type { GroupRecord } from "./process-group.ts";
import type { ProcessIdentity } from "./processes.ts";

/** What lies in `<state>/run/NAME.json`: whom a daemon started, so that another process can find and end it. */
export type RunRecord = { readonly name: string } & GroupRecord;

const ending = ".json";

export function writeRunRecord(folder: string, record: RunRecord): void {
  writeWhole(join(folder, record.name + ending), `${JSON.stringify(record)}\n`);
}

export function removeRunRecord(folder: string, name: string): void {
  rmSync(join(folder, name + ending), { force: true });
}

/** Every record in the folder. A file that is none of ours is passed over. */
export function runRecords(folder: string): RunRecord[] {
  return entries(folder)
    .filter((name) => name.endsWith(ending))
    .sort()
    .flatMap((name) => recordIn(join(folder, name)) ?? []);
}

function recordIn(file: string): RunRecord | undefined {
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    // Removed between two looks, or cut by a full disk: nobody can be verified by it.
    if (error instanceof SyntaxError || isMissing(error)) return undefined;
    throw error;
  }
  return isRecord(found) ? found : undefined;
}

function isRecord(value: unknown): value is RunRecord {
  if (typeof value !== "object" || value === null) return false;
  const { name, bootId, group, members } = value as Partial<Record<keyof RunRecord, unknown>>;
  return (
    typeof name === "string" &&
    typeof bootId === "string" &&
    // Group 1 and below are never ours; kill(-1) would reach everyone.
    Number.isSafeInteger(group) &&
    Number(group) > 1 &&
    Array.isArray(members) &&
    members.every(isIdentity)
  );
}

function isIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== "object" || value === null) return false;
  const { pid, startTicks } = value as Partial<Record<keyof ProcessIdentity, unknown>>;
  return Number.isSafeInteger(pid) && Number(pid) > 1 && Number.isSafeInteger(startTicks);
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
