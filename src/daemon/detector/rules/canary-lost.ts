import { edgeSubject } from "../facts.ts";
import { isFresh, type Rule, say } from "../view.ts";
import { seconds } from "../words.ts";

/**
 * suspect(probation) while canaries do not come back over a pair: nobody else may be asking. It lasts until one does,
 * or a request goes through; what a client then waits for is judged by itself.
 */
export const canaryLost: Rule = (view) =>
  [...view.history.edges.values()].flatMap((edge) => {
    if (edge.lost === undefined) return [];
    const { count, sinceMs } = edge.lost;
    const ends = [edge.prefill, edge.decode].map((name) => view.history.tracks.get(name));
    const times = count === 1 ? "the last canary" : `the last ${count} canaries`;
    return [
      say(view, {
        subject: edgeSubject(edge),
        verdict: "suspect",
        cause: "probation",
        sinceMs,
        evidence: [`${times} over it did not come back, the first one ${seconds(view.nowMs - sinceMs)} ago`],
        fresh: ends.every((track) => isFresh(view, track)),
        engines: [edge.prefill, edge.decode],
      }),
    ];
  });
