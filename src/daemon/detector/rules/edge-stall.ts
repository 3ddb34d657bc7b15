import type { Verdict } from "../../../contract/verdict.ts";
import { type EdgeFacts, edgeFactsOf } from "../edge-facts.ts";
import { hasByteSource, transferLimitMs } from "../facts.ts";
import { type Rule, say, type View } from "../view.ts";
import { number, seconds } from "../words.ts";

/** A pair of which only counts are known: work stands between both ends, and nothing on either moves. */
export const edgeStall: Rule = (view) =>
  [...view.history.edges.values()].flatMap((edge) => {
    const facts = edgeFactsOf(edge, view);
    return facts === undefined || facts.waiting === 0 || facts.isOrphan ? [] : (judged(facts, view) ?? []);
  });

function judged(facts: EdgeFacts, view: View): Verdict | undefined {
  const { edge, prefill, decode } = facts;
  const forMs = edge.still.ms;
  if (forMs < view.policy.suspect) return undefined;
  const seesBytes = hasByteSource(edge, [prefill, decode]);
  const limitMs = facts.isBootstrap ? view.policy.wedge : transferLimitMs(view, edge, seesBytes);
  const isWedge = forMs >= limitMs && facts.isProven;
  return say(view, {
    subject: `edge ${edge.prefill}:${edge.decode}`,
    verdict: isWedge ? "wedge" : "suspect",
    cause: isWedge ? (facts.isBootstrap ? "bootstrap-stall" : "transfer-stall") : "no-progress",
    sinceMs: edge.still.sinceMs,
    evidence: evidenceOf(facts, forMs),
    ruledOut: isWedge ? ruledOut(facts) : [],
    sure: seesBytes || facts.isBootstrap ? "high" : "low",
    moving: facts.computes,
    fresh: facts.isFresh,
    requests: [...facts.requests],
    engines: [edge.prefill, edge.decode],
  });
}

function evidenceOf({ edge, prefill, decode, open, computes }: EdgeFacts, forMs: number): string[] {
  const [p, d] = [prefill.latest, decode.latest];
  const bytes = edge.bytes ?? p?.transfer_bytes_total ?? d?.transfer_bytes_total;
  const counter = bytes === undefined ? "nobody counts its bytes" : `the byte counter at ${number(bytes)}`;
  const queues = [
    ["inflight", p?.inflight],
    ["bootstrap", p?.bootstrap_queue],
  ] as const;
  const held = queues.flatMap(([name, length]) => (length ? [`${name} ${length}`] : []));
  const tokens = [p?.prompt_tokens_total, d?.generated_tokens_total].map((count) =>
    count === undefined ? "unknown" : number(count),
  );
  return [
    `${held.join(" and ") || "its queue"} on ${edge.prefill} and ${counter} for ${seconds(forMs)}`,
    `${edge.decode} has ${d?.prealloc_queue ?? "an unknown number"} in prealloc, ${d?.transfer_queue ?? "an unknown number"} in transfer and ${d?.running ?? "an unknown number"} running`,
    `no token was computed: prompt tokens ${tokens[0]}, generated tokens ${tokens[1]}`,
    ...(computes ? [`${edge.prefill} computes a prompt meanwhile, which its counters may tell only at the end`] : []),
    ...(open === undefined ? [] : [`the router holds ${open} open on it`]),
    ...(p?.health === "ok" && d?.health === "ok" ? ["/health of both says ok, which means nothing here"] : []),
  ];
}

function ruledOut({ edge, decode, isBootstrap }: EdgeFacts): { cause: string; by: string }[] {
  const { prealloc_queue: prealloc = 0, transfer_queue: transfer = 0 } = decode.latest ?? {};
  return [
    ...(prealloc + transfer > 0
      ? [{ cause: "orphan", by: `${edge.decode} holds ${prealloc + transfer} before its running batch` }]
      : []),
    ...(isBootstrap ? [] : [{ cause: "bootstrap-stall", by: "prefill has computed it, so that both ends had met" }]),
    { cause: "loop-hang", by: "both ends answered in this tick" },
  ];
}
