import type { RequestDetail } from "../contract/request-view.ts";
import type { Verdict } from "../contract/verdict.ts";
import type { Clock } from "../lib/clock.ts";
import type { Gathered } from "./api/parts.ts";
import { isCalm } from "./happenings.ts";
import { askRequests } from "./poller/ask-requests.ts";
import { mergeRequests, type RequestVerdicts, silentOnes } from "./poller/merge-requests.ts";
import type { FleetState } from "./state.ts";
import type { ProcessEntry } from "./supervisor/process-table.ts";

export type GatherParts = { readonly secret: string; readonly clock: Clock };

/** Every request that anyone in the fleet knows of, with what is said of it, and who did not answer. */
export async function gatherRequests(
  { view, verdicts }: FleetState,
  { secret, clock }: GatherParts,
): Promise<Gathered> {
  const asked = view.processes.filter(({ state }) => state !== "stopped" && state !== "starting");
  const engines = asked.flatMap((entry) => {
    const { role, name } = entry.spec;
    return role === "router" ? [] : [{ name, role, url: urlOf(entry) }];
  });
  const router = view.processes.find(({ spec }) => spec.role === "router");
  const said = await askRequests({
    engines,
    router: { name: "router", url: router === undefined ? undefined : urlOf(router) },
    secret,
  });
  const details = mergeRequests(said, clock.wallMs(), requestVerdicts(verdicts));
  return { details: details.map((one) => withVerdicts(one, verdicts)), unanswered: silentOnes(said) };
}

function urlOf({ state, ready }: ProcessEntry): string | undefined {
  return state === "ready" || state === "draining" ? ready?.url : undefined;
}

const prefix = "request ";

function requestVerdicts(verdicts: readonly Verdict[]): RequestVerdicts {
  return new Map(
    verdicts.flatMap((one) =>
      one.subject.startsWith(prefix) ? [[one.subject.slice(prefix.length), one] as const] : [],
    ),
  );
}

/** The request with everything that concerns it: of itself, of its edge and of its engines. */
function withVerdicts(detail: RequestDetail, verdicts: readonly Verdict[]): RequestDetail {
  const { id, prefill, decode, live } = detail.request;
  // One that has ended is not in anybody's trouble any more.
  if (!live) return detail;
  const subjects = [`${prefix}${id}`, `edge ${prefill}:${decode}`, `engine ${prefill}`, `engine ${decode}`];
  const found = verdicts.filter((one) => !isCalm(one) && subjects.includes(one.subject));
  return found.length === 0 ? detail : { ...detail, verdicts: found };
}
