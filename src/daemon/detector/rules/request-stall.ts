import type { RuledOut, Verdict } from "../../../contract/verdict.ts";
import { hasByteSource, rootAt, transferLimitMs } from "../facts.ts";
import type { RequestTrack } from "../history.ts";
import { type Parts, partsOf, phaseOf, secondaryTo, suspectOf } from "../request-facts.ts";
import { isFresh, type Rule, type View } from "../view.ts";

/** A request that stands still between its two ends: suspect, then wedge(bootstrap-stall) or wedge(transfer-stall). */
export const requestStall: Rule = (view) =>
  [...view.history.requests.values()].flatMap((request) => judged(request, view) ?? []);

function judged(request: RequestTrack, view: View): Verdict | undefined {
  const { still } = request;
  if (still.ms < view.policy.suspect) return undefined;
  const phase = phaseOf(request);
  if (phase === "own-queue") return undefined;
  const parts = partsOf(request, view);
  const root = rootAt(view, parts.engines);
  if (root !== undefined) return secondaryTo(root, request, parts, view);
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
