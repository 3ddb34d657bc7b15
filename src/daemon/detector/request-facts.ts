import type { Verdict } from "../../contract/verdict.ts";
import { verdictWords } from "../../contract/verdict-words.ts";
import { quietMs, worksWithin } from "./facts.ts";
import type { EdgeTrack, RequestTrack, Track } from "./history.ts";
import { holders } from "./request-track.ts";
import { isFresh, say, type View } from "./view.ts";
import { number, seconds } from "./words.ts";

/** Where a request stands, and who can do something about it. */
export type Parts = {
  /** Prefill before decode. */
  readonly engines: readonly string[];
  readonly tracks: readonly Track[];
  readonly edge: EdgeTrack | undefined;
};

export function partsOf(request: RequestTrack, { history }: View): Parts {
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
export function phaseOf({ prefill, decode }: RequestTrack): "bootstrap" | "transfer" | "own-queue" {
  const [p, d] = [prefill?.seen.stage, decode?.seen.stage];
  if (p === "inflight") return "transfer";
  if (p === "bootstrap" || (d === "prealloc" && p === undefined)) return "bootstrap";
  if (d === "prealloc" && p !== "running") return "bootstrap";
  return d === "transfer" && p === undefined ? "transfer" : "own-queue";
}

/** suspect(no-progress): what every verdict on a request that stands still begins with. */
export function suspectOf(request: RequestTrack, { engines, tracks }: Parts, view: View): Verdict {
  const { id, still } = request;
  const moving = tracks.some((track) => worksWithin(track, view, view.policy.suspect));
  return say(view, {
    subject: `request ${id}`,
    verdict: "suspect",
    cause: "no-progress",
    sinceMs: still.sinceMs,
    evidence: evidenceOf(request, { tracks, moving, view }),
    moving,
    fresh: tracks.every((track) => isFresh(view, track)),
    requests: [id],
    engines: [...engines],
  });
}

/** suspect(secondary): it stands because of something that has a verdict of its own. */
export function secondaryTo(root: Verdict, request: RequestTrack, parts: Parts, view: View): Verdict {
  const verdict = suspectOf(request, parts, view);
  const words = `it waits for ${root.subject}, which is ${verdictWords(root)}`;
  return { ...verdict, cause: "secondary", evidence: [words, ...verdict.evidence] };
}

type Around = { readonly tracks: Parts["tracks"]; readonly moving: boolean; readonly view: View };

function evidenceOf({ prefill, decode, open, still, room }: RequestTrack, around: Around): string[] {
  const { tracks, moving, view } = around;
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
      : `nothing else on its engines has moved for ${seconds(quietMs(tracks, view))}`,
  ];
}
