import { rootAt, worksWithin } from "../facts.ts";
import type { RequestTrack } from "../history.ts";
import { holders } from "../request-track.ts";
import { isFresh, type Rule, say, type View } from "../view.ts";
import { number, seconds } from "../words.ts";

// One sample may come between decode's end and the word of it.
const samplesMin = 2;

/** wedge(orphan) on a request: prefill holds it inflight, and decode has said twice that it knows nothing of it. */
export const requestOrphan: Rule = (view) =>
  [...view.history.requests.values()].flatMap((request) => judged(request, view));

function judged(request: RequestTrack, view: View) {
  const { prefill, alone, id, room } = request;
  if (prefill === undefined || alone === undefined || alone.count < samplesMin) return [];
  const track = view.history.tracks.get(prefill.engine);
  const others = holders(request, view.history).filter(({ who }) => who.role === "decode");
  const names = others.map(({ who }) => who.id);
  if (track === undefined || rootAt(view, [prefill.engine, ...names]) !== undefined) return [];
  const bytes = prefill.seen.bytes_done;
  const moving = worksWithin(track, view, view.policy.suspect);
  return [
    say(view, {
      subject: `request ${id}`,
      verdict: "wedge",
      cause: "orphan",
      sinceMs: alone.sinceMs,
      evidence: [
        `${prefill.engine} holds ${room === undefined ? "it" : `room ${room}`} inflight and ${names.join(" and ")} has nothing of it, in ${alone.count} samples of both`,
        ...(bytes === undefined
          ? []
          : [`its byte counter stands at ${number(bytes)} for ${seconds(request.still.ms)}`]),
        ...(moving ? [`other work on ${prefill.engine} makes progress`] : []),
      ],
      ruledOut: [
        { cause: "transfer-stall", by: "the other end does not wait for it: nobody will ever take it" },
        { cause: "loop-hang", by: `${[prefill.engine, ...names].join(" and ")} answered in this tick` },
      ],
      moving,
      fresh: [track, ...others].every((one) => isFresh(view, one)),
      requests: [id],
      engines: [prefill.engine],
      guilty: prefill.engine,
      ...(track.generation === undefined ? {} : { generation: track.generation }),
    }),
  ];
}
