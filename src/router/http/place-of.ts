import type { FastifyRequest } from "fastify";
import { headerNames } from "../../contract/openai.ts";
import { Refusal } from "../../lib/refusal.ts";
import type { RouterParts } from "../router-parts.ts";
import type { Place } from "../sending/sender.ts";

/** Where a new request goes, and whether it is one of the fleet's own, sent to try an edge. */
export function placeOf(
  { sender, edges, trusts }: RouterParts,
  { headers }: FastifyRequest,
  askBytes: number,
): { readonly place: Place; readonly canary: boolean } {
  const pair = headers[headerNames.edge];
  const canary = headers[headerNames.canary];
  const chosen = pair !== undefined ? headerNames.edge : canary !== undefined ? headerNames.canary : undefined;
  if (chosen !== undefined && !trusts(headers[headerNames.secret]))
    throw new Refusal(
      "forbidden",
      `${chosen} is for the fleet itself: the header ${headerNames.secret} is missing or wrong.`,
    );
  return { canary: canary === "1", place: pair === undefined ? sender.place(askBytes) : named(String(pair)) };

  function named(wanted: string): Place {
    const edge = edges.named(wanted);
    if (edge !== undefined) return { kind: "edge", edge };
    throw new Refusal("not-found", `There is no edge ${JSON.stringify(wanted)}: an edge is PREFILL:DECODE.`);
  }
}
