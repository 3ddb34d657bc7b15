import { PdctlError } from "../../contract/errors.ts";
import { drainEngine, resumeEngine } from "../../drivers/native/control.ts";
import { asked } from "../../lib/asked.ts";
import { limited, until } from "../../lib/wait.ts";
import { done, doorOf, type Operation, type OperationParts, type Result } from "./operation.ts";

const askLimitMs = 3_000;
const lookEveryMs = 500;

/** Stops routing to an engine, and waits until what it has is done, for at most the action's time. */
export async function drain(parts: OperationParts, operation: Operation, name: string): Promise<Result> {
  const { table, edges } = parts;
  const { action, signal, now } = operation;
  operation.step(1, `${name} takes nothing new`);
  if (table.get(name).state === "ready") table.enter(name, "draining");
  await asked(async () => await edges.push(signal));
  await drainEngine(doorTo(parts, name), limited(askLimitMs, signal));
  const limitMs = action.drainMs ?? 0;
  if (limitMs === 0 || now.aborted) return done(`${name} takes nothing new`);
  operation.step(2, `${name} finishes what it has`);
  const idle = await until(async () => (await isIdle(parts, name, signal)) || undefined, {
    ...{ everyMs: lookEveryMs, limitMs, signal: AbortSignal.any([signal, now]) },
  });
  if (idle) return done(`${name} has finished what it had`);
  return { outcome: "failed", words: `${name} takes nothing new, but had not finished after ${limitMs / 1_000} s` };
}

/** Takes a drained engine into use again. */
export async function resume(parts: OperationParts, operation: Operation, name: string): Promise<Result> {
  const { table, edges } = parts;
  const { signal } = operation;
  const wasDrained = table.get(name).state === "draining";
  operation.step(1, "is told to take requests");
  await resumeEngine(doorTo(parts, name), limited(askLimitMs, signal));
  if (wasDrained) table.enter(name, "ready");
  await asked(async () => await edges.push(signal));
  return done(wasDrained ? `${name} takes requests again` : `${name} was not drained: it takes requests as before`);
}

function doorTo(parts: OperationParts, name: string): { readonly url: string; readonly secret: string } {
  const door = doorOf(parts, parts.table.get(name));
  if (door !== undefined) return door;
  throw new PdctlError("action-failed", `${name} does not run.`, "pdctl status");
}

async function isIdle({ look }: OperationParts, name: string, signal: AbortSignal): Promise<boolean> {
  const seen = await look(name, limited(askLimitMs, signal));
  if (seen?.kind !== "sample") return false;
  const queues = [seen.bootstrap_queue, seen.waiting, seen.running, seen.inflight, seen.prealloc_queue];
  const counts = [...queues, seen.transfer_queue].filter((count) => count !== undefined);
  // Nothing known is not nothing there.
  return counts.length > 0 && counts.every((count) => count === 0);
}
