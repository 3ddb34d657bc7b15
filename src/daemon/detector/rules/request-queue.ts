import type { Verdict } from "../../../contract/verdict.ts";
import { rootAt } from "../facts.ts";
import type { RequestTrack } from "../history.ts";
import { partsOf, phaseOf, secondaryTo, suspectOf } from "../request-facts.ts";
import type { Rule, View } from "../view.ts";

/** A request that waits for its turn on one engine while that engine moves nothing: suspect, and never more by itself. */
export const requestQueue: Rule = (view) =>
  [...view.history.requests.values()].flatMap((request) => judged(request, view) ?? []);

function judged(request: RequestTrack, view: View): Verdict | undefined {
  if (request.still.ms < view.policy.suspect || phaseOf(request) !== "own-queue") return undefined;
  const parts = partsOf(request, view);
  const root = rootAt(view, parts.engines) ?? stuckBefore(parts.engines, view);
  return root === undefined ? suspectOf(request, parts, view) : secondaryTo(root, request, parts, view);
}

/** A wedged request holds pages that the others wait for. */
function stuckBefore(names: readonly string[], { found }: View): Verdict | undefined {
  return [...found.values()].find(
    ({ subject, verdict, engines }) =>
      verdict === "wedge" && subject.startsWith("request ") && names.some((name) => engines.includes(name)),
  );
}
