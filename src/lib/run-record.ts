import { readFileSync, statSync } from "node:fs";
import { bootId, type ProcessIdentity } from "./processes.ts";

/** What the shim writes of the program that it holds; contract/run-record.ts says what each field means. */
export type RunRecord = {
  readonly name: string;
  readonly generation: number;
  readonly bootId: string;
  readonly pidNamespace: string;
  readonly shim: ProcessIdentity;
  readonly child?: ProcessIdentity;
  readonly session: number;
  readonly beganUnixMs: number;
  readonly exit?: { readonly code?: number; readonly signal?: string; readonly words?: string };
  readonly empty: boolean;
  readonly droppedBytes: number;
};

/** Undefined where there is none that can be read: then nobody can be verified by it. */
export function readRunRecord(path: string): RunRecord | undefined {
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
  return isRecord(found) ? found : undefined;
}

/** Whether its process numbers mean anything here and now. */
export function isOfThisBoot(found: { readonly bootId?: unknown; readonly pidNamespace?: unknown }): boolean {
  return found.bootId === bootId() && found.pidNamespace === pidNamespace();
}

/** Numbers of processes mean something only inside of it. */
export function pidNamespace(): string {
  return String(statSync("/proc/self/ns/pid").ino);
}

function isRecord(value: unknown): value is RunRecord {
  if (!isObject(value)) return false;
  const { shim, child, exit } = value;
  return (
    ["name", "bootId", "pidNamespace"].every((key) => typeof value[key] === "string") &&
    ["generation", "session", "beganUnixMs", "droppedBytes"].every((key) => Number.isSafeInteger(value[key])) &&
    typeof value["empty"] === "boolean" &&
    isIdentity(shim) &&
    (child === undefined || isIdentity(child)) &&
    (exit === undefined || isObject(exit))
  );
}

// 1 and below are never ours: kill(-1) would reach everyone.
export function isIdentity(value: unknown): value is ProcessIdentity {
  if (!isObject(value)) return false;
  return Number.isSafeInteger(value["pid"]) && Number(value["pid"]) > 1 && Number.isSafeInteger(value["startTicks"]);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
