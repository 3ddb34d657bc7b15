import { PdctlError } from "../../contract/errors.ts";
import { limited } from "../../lib/wait.ts";
import { proveByCanary } from "./canary.ts";
import { done, type Operation, type OperationParts, type Result } from "./operation.ts";
import { startedNothing } from "./started-nothing.ts";

/** Starts prefill, then decode, then the router, and sends a request all the way. What runs already is kept. */
export async function startFleet(parts: OperationParts, operation: Operation): Promise<Result> {
  const limit = limited(parts.startTimeoutMs, operation.signal);
  try {
    return await startAll(parts, operation, limit);
  } catch (cause) {
    if (!limit.aborted || operation.signal.aborted) throw cause;
    const seconds = Math.round(parts.startTimeoutMs / 1_000);
    const words = `The fleet was not up within ${seconds} s.`;
    throw new PdctlError("timed-out", words, "give it more time with --timeout", { cause });
  }
}

async function startAll(parts: OperationParts, operation: Operation, signal: AbortSignal): Promise<Result> {
  const { plan, edges, clock } = parts;
  const beganMs = clock.nowMs();
  const named = (...roles: string[]): string[] =>
    plan.specs().flatMap(({ role, name }) => (roles.includes(role) ? [name] : []));
  const failures: unknown[] = [];
  const sides = [
    { names: named("prefill"), words: "prefill" },
    { names: named("decode", "both"), words: "decode" },
    { names: named("router"), words: "router" },
  ];
  // Also where one has failed the others start: it is tried again by itself, and then the fleet is whole.
  for (const [index, { names, words }] of sides.entries()) {
    operation.step(index + 1, `starting ${words}`);
    failures.push(...(await startSide(parts, names, signal)));
  }
  // One that ran and failed says more than one that found no room on the disk.
  const worst = failures.find((failure) => !startedNothing(failure, parts.places.state)) ?? failures[0];
  if (failures.length > 0) throw worst;
  await edges.push(signal);
  operation.step(sides.length + 1, "canary: router → prefill → transfer → decode");
  parts.say("canary", "router → prefill → transfer → decode");
  const canaryMs = clock.nowMs();
  await proveByCanary(parts, undefined, signal);
  parts.say("canary", `came back (${seconds(clock.nowMs() - canaryMs)} s)`);
  return done(`the fleet serves after ${seconds(clock.nowMs() - beganMs)} s`);
}

/** Starts processes side by side. Every start is over, one way or the other, when this returns; what failed is told. */
async function startSide(parts: OperationParts, names: readonly string[], signal: AbortSignal): Promise<unknown[]> {
  const starts = await Promise.allSettled(names.map(async (name) => await startOne(parts, name, signal)));
  signal.throwIfAborted();
  return starts.flatMap((start) => (start.status === "rejected" ? [start.reason as unknown] : []));
}

/** Starts one process, and says how long that took. */
export async function startOne(parts: OperationParts, name: string, signal: AbortSignal): Promise<void> {
  const { table, keeper, clock, say } = parts;
  if (table.get(name).state === "ready") return;
  say(name, table.get(name).spec.role === "router" ? "starting" : "loading the model");
  const beganMs = clock.nowMs();
  const { url, bootstrapPort } = await keeper.start(name, signal);
  const bootstrap = bootstrapPort === undefined ? "" : `, bootstrap on port ${bootstrapPort}`;
  say(name, `ready at ${url}${bootstrap} (${seconds(clock.nowMs() - beganMs)} s)`);
}

export function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
