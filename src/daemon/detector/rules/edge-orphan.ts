import type { Verdict } from "../../../contract/verdict.ts";
import { type EdgeFacts, edgeFactsOf } from "../edge-facts.ts";
import { type Rule, say, type View } from "../view.ts";
import { seconds } from "../words.ts";

/** An orphan told by counts: prefill holds something inflight while decode holds nothing at all. */
export const edgeOrphan: Rule = (view) =>
  [...view.history.edges.values()].flatMap((edge) => {
    const facts = edgeFactsOf(edge, view);
    return facts?.isOrphan === true ? (judged(facts, view) ?? []) : [];
  });

function judged(facts: EdgeFacts, view: View): Verdict | undefined {
  const { edge, prefill, open } = facts;
  const forMs = edge.still.ms;
  // Counts of two engines are not of one moment: for half of the time of a suspicion they may just not fit.
  if (forMs < view.policy.suspect / 2) return undefined;
  const isWedge = forMs >= view.policy.suspect;
  return say(view, {
    subject: facts.isMine ? `edge ${edge.prefill}:${edge.decode}` : `engine ${edge.prefill}`,
    verdict: isWedge ? "wedge" : "suspect",
    cause: isWedge ? "orphan" : "no-progress",
    sinceMs: edge.still.sinceMs,
    evidence: [
      `inflight ${prefill.latest?.inflight} on ${edge.prefill} for ${seconds(forMs)} while ${facts.isMine ? edge.decode : "every decode engine"} has nothing in prealloc, transfer, waiting or running`,
      "neither a token nor a byte was counted meanwhile",
      ...(open === undefined ? [] : [`the router holds ${open} open on it`]),
    ],
    ruledOut: isWedge
      ? [
          { cause: "transfer-stall", by: `${edge.decode} does not wait for it` },
          { cause: "loop-hang", by: "both ends answered in this tick" },
        ]
      : [],
    moving: facts.computes,
    fresh: facts.isFresh,
    requests: [...facts.requests],
    engines: facts.isMine ? [edge.prefill, edge.decode] : [edge.prefill],
    guilty: edge.prefill,
  });
}
