import type { Verdict } from "../../../contract/verdict.ts";
import { verdictWords } from "../../../contract/verdict-words.ts";
import { edgeSubject, rootAt } from "../facts.ts";
import type { EdgeTrack } from "../history.ts";
import { pendingOn } from "../pending.ts";
import { type Rule, say, type View } from "../view.ts";

/** suspect(secondary): what waits on a pair waits for something that has a verdict of its own. One root, one incident. */
export const secondary: Rule = (view) => [...view.history.edges.values()].flatMap((edge) => judged(edge, view) ?? []);

function judged(edge: EdgeTrack, view: View): Verdict | undefined {
  const root = requestOn(edge, view) ?? engineAt(edge, view);
  if (root === undefined) return undefined;
  return say(view, {
    subject: edgeSubject(edge),
    verdict: "suspect",
    cause: "secondary",
    sinceMs: root.sinceMs,
    evidence: [`it waits for ${root.subject}, which is ${verdictWords(root)}`],
    moving: root.moving,
    fresh: root.fresh,
    requests: root.requests,
    engines: [edge.prefill, edge.decode],
  });
}

function requestOn({ prefill, decode }: EdgeTrack, { found, history }: View): Verdict | undefined {
  const isOnlyDecode = [...history.tracks.values()].filter(({ who }) => who.role === "decode").length === 1;
  return [...found.values()].find(({ subject, verdict, engines }) => {
    if (!subject.startsWith("request ") || verdict !== "wedge" || !engines.includes(prefill)) return false;
    return engines.includes(decode) || (engines.length === 1 && isOnlyDecode);
  });
}

function engineAt(edge: EdgeTrack, view: View): Verdict | undefined {
  const { tracks } = view.history;
  const [prefill, decode] = [tracks.get(edge.prefill), tracks.get(edge.decode)];
  if (prefill === undefined || decode === undefined || !pendingOn(prefill, decode)) return undefined;
  const root = rootAt(view, [edge.prefill, edge.decode]);
  return root?.verdict === "starting" ? undefined : root;
}
