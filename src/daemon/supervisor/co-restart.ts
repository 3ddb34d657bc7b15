import { PdctlError } from "../../contract/errors.ts";
import { proveByCanary } from "./canary.ts";
import { HoldLease } from "./hold-lease.ts";
import { done, enginesOf, type Operation, type OperationParts, type Result, routerDoor } from "./operation.ts";
import type { ProcessEntry } from "./process-table.ts";
import { scopeOf } from "./scope.ts";
import { seconds, startOne } from "./start-fleet.ts";

/** What all steps go by; it is in the intent of the first one, so that a later daemon goes by the same. */
type Scope = {
  readonly names: readonly string[];
  readonly epoch: number;
  /** How often each had been started before: whoever was started more often is new, and stays. */
  readonly before: Readonly<Record<string, number>>;
};

/**
 * Ends engines that hold rooms with each other, and starts them anew, under a new epoch. Each step looks at the world
 * first and does only what is missing: a daemon that comes in the middle goes through all of them again.
 */
export async function coRestart(parts: OperationParts, operation: Operation): Promise<Result> {
  const { action, signal } = operation;
  const beganMs = parts.clock.nowMs();
  const scope = allocate(parts, operation);

  operation.step(2, "hold: new requests wait at the router");
  const { lease, told } = await HoldLease.begin(
    () => routerDoor(parts),
    { epoch: scope.epoch, engines: [...scope.names], subjects: [...(action.requests ?? [])], why: action.why },
    { log: parts.log, signal },
  );
  try {
    await replaceAll(parts, operation, scope);
    await tryFirstEdge(parts, operation, scope);
  } catch (error) {
    // Whoever waits gets an answer from what is left, or the word that there is nothing.
    if (!signal.aborted) await lease.admit(signal);
    throw error;
  } finally {
    lease.close();
  }
  operation.step(8, "admit: what waits is sent");
  const admitted = await lease.admit(signal);
  return done(`${scope.names.join(" and ")} were started again in ${seconds(parts.clock.nowMs() - beganMs)} s`, [
    `the epoch is ${scope.epoch}`,
    ...(told ? [] : ["no router held new requests meanwhile"]),
    ...(told && !admitted ? ["the router did not answer at the end: its hold lapses by itself"] : []),
  ]);
}

// 1. The scope is closed here: an engine that joins the fleet later is none of it.
function allocate(parts: OperationParts, operation: Operation): Scope {
  const { action, earlier } = operation;
  const first = earlier.find(({ step }) => step === 1);
  const names = scopeOf(parts, action);
  if (first?.epoch !== undefined && first.generations !== undefined) {
    operation.step(1, `epoch ${first.epoch}, again`, { epoch: first.epoch, generations: first.generations });
    return { names, epoch: first.epoch, before: first.generations };
  }
  if (names.length === 0) {
    throw new PdctlError("engine-unknown", `No engine of the fleet is meant by ${action.target}.`, "pdctl status");
  }
  const before = Object.fromEntries(names.map((name) => [name, parts.table.get(name).generation]));
  const epoch = parts.intents.epoch + 1;
  operation.step(1, `epoch ${epoch}`, { epoch, generations: before });
  return { names, epoch, before };
}

// 3 to 6.
async function replaceAll(parts: OperationParts, operation: Operation, scope: Scope): Promise<void> {
  const { keeper, edges, table } = parts;
  const isOld = ({ spec, generation }: ProcessEntry): boolean => generation <= (scope.before[spec.name] ?? 0);
  const old = (): readonly string[] => scope.names.filter((name) => isOld(table.get(name)));

  operation.step(3, `stop: ${scope.names.join(", ")}`);
  await Promise.all(old().map(async (name) => keeper.stop(name, operation.now)));

  operation.step(4, "prove that nobody of them is left");
  await Promise.all(old().map(async (name) => keeper.clear(name)));

  for (const [step, role] of [
    [5, "prefill"],
    [6, "decode"],
  ] as const) {
    const names = scope.names.filter((name) => (table.get(name).spec.role === "prefill") === (role === "prefill"));
    operation.step(step, names.length === 0 ? `start ${role}: none of them` : `start ${names.join(", ")}`);
    await Promise.all(names.map(async (name) => startOne(parts, name, operation.signal)));
  }
  await edges.push(operation.signal);
}

// 7. One request on its own, before anyone else's.
async function tryFirstEdge(parts: OperationParts, operation: Operation, { names }: Scope): Promise<void> {
  const ready = enginesOf(parts).filter(({ state }) => state === "ready");
  const [prefill, decode] = (["prefill", "decode"] as const).map((side) => {
    const engines = ready.filter(({ spec }) => spec.role === side);
    return (engines.find(({ spec }) => names.includes(spec.name)) ?? engines[0])?.spec.name;
  });
  if (prefill === undefined || decode === undefined || routerDoor(parts) === undefined) {
    operation.step(7, "canary: none, no pair can be reached");
    return;
  }
  operation.step(7, `canary over ${prefill}:${decode}`);
  await proveByCanary(parts, { prefill, decode }, operation.signal);
}
