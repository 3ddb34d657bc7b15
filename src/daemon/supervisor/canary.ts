import { PdctlError } from "../../contract/errors.ts";
import { sendCanary } from "../../drivers/embedded-router/canary.ts";
import { done, type OperationParts, type Result, routerDoor } from "./operation.ts";
import type { Pair } from "./router-edges.ts";

// Far beyond what one token takes; an edge that needs longer does not serve.
const limitMs = 60_000;

type CanaryParts = Pick<OperationParts, "secret" | "table" | "see" | "clock">;

/** Sends a request of our own all the way, over one edge or any. Throws where it does not come back. */
export async function proveByCanary(parts: CanaryParts, edge: Pair | undefined, signal: AbortSignal): Promise<void> {
  const end = await askEdge(parts, edge, signal);
  if (end.result === "ok") return;
  throw new PdctlError(
    "canary-failed",
    `A request through router, prefill, transfer and decode did not come back: ${end.words}.`,
    "pdctl reqs and the logs in the state folder tell which side fails",
  );
}

/** The same as an action of its own: that it did not come back is for the detector to judge. */
export async function canaryOf(parts: CanaryParts, edge: Pair, signal: AbortSignal): Promise<Result> {
  const { result, words } = await askEdge(parts, edge, signal);
  return done(`canary over ${edge.prefill}:${edge.decode}: ${result}, ${words}`);
}

async function askEdge(
  parts: CanaryParts,
  edge: Pair | undefined,
  signal: AbortSignal,
): Promise<{ readonly result: string; readonly words: string }> {
  const door = routerDoor(parts);
  if (door === undefined) return { result: "busy", words: "no router runs" };
  const end = await sendCanary(door, { edge, limitMs }, signal);
  if (edge !== undefined) {
    const t = parts.clock.nowMs() / 1_000;
    parts.see({ kind: "canary", t, edge: `${edge.prefill}:${edge.decode}`, result: end.result });
  }
  return end;
}
