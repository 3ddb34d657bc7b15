import { routerState } from "../../drivers/embedded-router/probe.ts";
import { asked } from "../../lib/asked.ts";
import { limited, until } from "../../lib/wait.ts";
import { done, type Operation, type OperationParts, type Result, routerDoor } from "./operation.ts";
import { isThere } from "./process-table.ts";

const lookEveryMs = 100;
const probeLimitMs = 2_000;

/** Lets open requests end, then stops everything in reverse order. Throws where somebody is left. */
export async function stopFleet(parts: OperationParts, operation: Operation): Promise<Result> {
  parts.edges.closeAll(true);
  try {
    return await stopAll(parts, operation);
  } finally {
    // Whoever could not be ended, or is started again, is told of as usual.
    parts.edges.closeAll(false);
  }
}

async function stopAll(parts: OperationParts, operation: Operation): Promise<Result> {
  const { table, plan, keeper, say } = parts;
  const { action, now } = operation;
  const drainMs = action.drainMs ?? 0;
  if (drainMs > 0 && !now.aborted) {
    operation.step(1, `open requests may end, for at most ${Math.round(drainMs / 1_000)} s`);
    await drainRouter(parts, operation, drainMs);
  }
  operation.step(2, "stopping the router, decode and prefill");
  const failures: unknown[] = [];
  let stopped = 0;
  for (const { name } of plan.specs().toReversed()) {
    const wasThere = isThere(table.get(name));
    try {
      await keeper.stop(name, now);
    } catch (error) {
      // One that will not end does not keep the others from ending.
      failures.push(error);
      continue;
    }
    if (!wasThere) continue;
    stopped += 1;
    say(name, "stopped");
  }
  if (failures.length > 0) throw failures[0];
  keeper.forgetPorts();
  return done(stopped === 0 ? "nothing was running" : "everything has ended; nobody of it is left");
}

// The router goes on serving what is open, and takes nothing new, until all is answered or the time is over.
async function drainRouter(parts: OperationParts, { signal, now }: Operation, drainMs: number): Promise<void> {
  const { table, edges, say } = parts;
  const door = routerDoor(parts);
  if (door === undefined || table.get("router").state !== "ready") return;
  const either = AbortSignal.any([signal, now]);
  const open = async (): Promise<number> => {
    const answer = await asked(async () => (await routerState(door, limited(probeLimitMs, either))).open);
    // A router that does not answer has nobody to wait for.
    return answer.kind === "answered" ? answer.value : 0;
  };
  await asked(async () => await edges.push(either));
  const first = await open();
  if (first === 0) return;
  table.enter("router", "draining");
  const requests = first === 1 ? "request" : "requests";
  say("router", `waiting for ${first} open ${requests}, at most ${drainMs / 1_000} s`);
  const settle = until(async () => ((await open()) === 0 ? true : undefined), {
    everyMs: lookEveryMs,
    limitMs: drainMs,
    signal: either,
  });
  await settle.catch((error: unknown) => {
    if (!now.aborted) throw error;
  });
}
