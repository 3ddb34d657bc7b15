import { asked } from "../../lib/asked.ts";
import { done, type Operation, type OperationParts, type Result } from "./operation.ts";
import { startOne } from "./start-fleet.ts";

/** Starts one engine or the router. */
export async function startProcess(parts: OperationParts, operation: Operation, name: string): Promise<Result> {
  operation.step(1, `starting ${name}`);
  await startOne(parts, name, operation.signal);
  await tellRouter(parts, operation);
  return done(`${name} is ready`);
}

/** Ends one engine or the router, and proves it. */
export async function stopProcess(parts: OperationParts, operation: Operation, name: string): Promise<Result> {
  operation.step(1, `stopping ${name}`);
  await parts.keeper.stop(name, operation.now);
  return done(`${name} has ended; nobody of it is left`);
}

/** Ends one and starts it again. One that was started since the operation began is not ended a second time. */
export async function restartProcess(parts: OperationParts, operation: Operation, name: string): Promise<Result> {
  const { table, keeper } = parts;
  const before = operation.earlier[0]?.generations?.[name] ?? table.get(name).generation;
  operation.step(1, `stopping ${name}`, { generations: { [name]: before } });
  if (table.get(name).generation <= before) await keeper.stop(name, operation.now);
  operation.step(2, `starting ${name}`);
  await startOne(parts, name, operation.signal);
  await tellRouter(parts, operation);
  return done(`${name} was started again`);
}

// Where it does not answer now it is told in the next tick.
async function tellRouter({ edges }: OperationParts, { signal }: Operation): Promise<void> {
  await asked(async () => await edges.push(signal));
}
