import type { RuledOut, Verdict } from "../../../contract/verdict.ts";
import { countedWithin, hasByteSource, rootAt, transferLimitMs } from "../facts.ts";
import type { EdgeTrack, RequestTrack, Track } from "../history.ts";
import { holders } from "../request-track.ts";
import { isFresh, type Rule, say, type View } from "../view.ts";
import { number, seconds } from "../words.ts";

/** A request that stands still between its two ends: suspect, then wedge(bootstrap-stall) or wedge(transfer-stall). */
export const requestStall: Rule = (view) =>
  [...view.history.requests.values()].flatMap((request) => judged(request, view) ?? []);

function judged(request: RequestTrack, view: View): Verdict | undefined {
  const { still } = request;
  if (still.ms < view.policy.suspect) return undefined;
  const parts = partsOf(request, view);
  if (rootAt(view, parts.engines) !== undefined) return secondary(request, parts, view);
  const phase = phaseOf(request);
  if (phase === "own-queue") return suspectOf(request, parts, view);
  const sees = request.prefill?.seen.bytes_done !== undefined || request.decode?.seen.bytes_done !== undefined;
  const seesBytes = phase === "bootstrap" || sees || hasByteSource(parts.edge, parts.tracks);
  if (still.ms < transferLimitMs(view, parts.edge, seesBytes)) return suspectOf(request, parts, view);
  return {
    ...suspectOf(request, parts, view),
    verdict: "wedge",
    cause: phase === "bootstrap" ? "bootstrap-stall" : "transfer-stall",
    ruledOut: ruledOut(request, parts, view),
    sure: seesBytes ? "high" : "low",
  };
}

type Parts = {
  /** Prefill before decode. */
  readonly engines: readonly string[];
  readonly tracks: readonly Track[];
  readonly edge: EdgeTrack | undefined;
};

function partsOf(request: RequestTrack, { history }: View): Parts {
  const tracks = holders(request, history);
  const prefill = tracks.find(({ who }) => who.role !== "decode");
  const decodes = tracks.filter(({ who }) => who.role === "decode");
  // Where decode does not hold it and several might have been meant, none is named.
  const decode = decodes.length === 1 ? decodes[0] : undefined;
  const ends = [prefill, decode].filter((track) => track !== undefined);
  return {
    engines: ends.map(({ who }) => who.id),
    tracks: ends,
    edge: prefill && decode && history.edges.get(`${prefill.who.id}:${decode.who.id}`),
  };
}

/** What it waits for: the other end's addresses, its transfer, or its turn on one engine, which is no stall of a pair. */
function phaseOf({ prefill, decode }: RequestTrack): "bootstrap" | "transfer" | "own-queue" {
  const [p, d] = [prefill?.seen.stage, decode?.seen.stage];
  if (p === "inflight") return "transfer";
  if (p === "bootstrap" || (d === "prealloc" && p === undefined)) return "bootstrap";
  if (d === "prealloc" && p !== "running") return "bootstrap";
  return d === "transfer" && p === undefined ? "transfer" : "own-queue";
}

function suspectOf(request: RequestTrack, { engines, tracks }: Parts, view: View): Verdict {
  const { id, still } = request;
  const moving = tracks.some((track) => countedWithin(track, view, view.policy.suspect));
  return say(view, {
    subject: `request ${id}`,
    verdict: "suspect",
    cause: "no-progress",
    sinceMs: still.sinceMs,
    evidence: evidenceOf(request, view, moving),
    moving,
    fresh: tracks.every((track) => isFresh(view, track)),
    requests: [id],
    engines: [...engines],
  });
}

function secondary(request: RequestTrack, parts: Parts, view: View): Verdict {
  const root = rootAt(view, parts.engines);
  const verdict = suspectOf(request, parts, view);
  const words = root === undefined ? [] : [`it waits for ${root.subject}, which is ${root.verdict}`];
  return { ...verdict, cause: "secondary", evidence: [...words, ...verdict.evidence] };
}

function evidenceOf({ prefill, decode, open, still, room }: RequestTrack, view: View, moving: boolean): string[] {
  const legs = [prefill, decode].filter((leg) => leg !== undefined);
  const stages = legs.map(({ engine, seen }) => `${seen.stage ?? "somewhere"} on ${engine}`).join(" and ");
  const bytes = legs.find(({ seen }) => seen.bytes_done !== undefined)?.seen;
  const of = bytes?.bytes_total === undefined ? "" : ` of ${number(bytes.bytes_total)}`;
  const counted = bytes?.bytes_done === undefined ? "" : ` and its byte counter at ${number(bytes.bytes_done)}${of}`;
  const missing = decode === undefined && prefill !== undefined ? ["no decode engine says that it has it"] : [];
  const alone = prefill === undefined && decode !== undefined ? ["no prefill engine says that it has it"] : [];
  const client =
    open?.age_s === undefined
      ? []
      : [`the router holds it open for ${seconds(open.age_s * 1_000)}, with ${number(open.bytes ?? 0)} bytes sent`];
  return [
    `${room === undefined ? "it" : `room ${room}`} stands in ${stages}${counted} for ${seconds(still.ms)}`,
    ...missing,
    ...alone,
    ...client,
    moving
      ? "other work on its engines makes progress"
      : `nothing else on its engines has moved for ${seconds(view.policy.suspect)}`,
  ];
}

function ruledOut({ decode, prefill }: RequestTrack, { tracks }: Parts, view: View): RuledOut[] {
  const names = tracks.filter((track) => isFresh(view, track)).map(({ who }) => who.id);
  const orphan =
    decode === undefined ? [] : [{ cause: "orphan", by: `${decode.engine} holds it in ${decode.seen.stage}` }];
  const known = prefill?.seen.stage === "inflight" && decode !== undefined;
  return [
    ...orphan,
    ...(known ? [{ cause: "bootstrap-stall", by: "prefill has computed it, so that both ends had met" }] : []),
    { cause: "loop-hang", by: `${names.join(" and ")} answered in this tick` },
  ];
}
