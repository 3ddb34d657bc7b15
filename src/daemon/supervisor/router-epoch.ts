import { routerState } from "../../drivers/embedded-router/probe.ts";
import { asked } from "../../lib/asked.ts";
import { limited } from "../../lib/wait.ts";
import { type OperationParts, routerDoor } from "./operation.ts";

const askLimitMs = 2_000;

/** The epoch that the router was told last, for when the files that say it are lost; 0 where it does not answer. */
export async function routerEpoch(parts: Pick<OperationParts, "table" | "secret">): Promise<number> {
  const door = routerDoor(parts);
  if (door === undefined) return 0;
  const answer = await asked(async () => (await routerState(door, limited(askLimitMs))).epoch);
  return answer.kind === "answered" ? answer.value : 0;
}
