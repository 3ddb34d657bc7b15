import type { RequestDetail } from "../contract/request-view.ts";
import type { Clock } from "../lib/clock.ts";
import { askRequests } from "./poller/ask-requests.ts";
import { mergeRequests, silentOnes } from "./poller/merge-requests.ts";
import type { ProcessEntry, ProcessTable } from "./supervisor/process-table.ts";

export type GatherParts = {
  readonly table: ProcessTable;
  readonly secret: string;
  readonly clock: Clock;
};

/** Every request that anyone in the fleet knows of, and who did not answer. */
export async function gatherRequests({ table, secret, clock }: GatherParts): Promise<{
  readonly details: readonly RequestDetail[];
  readonly unanswered: string[];
}> {
  const asked = table.all().filter(({ state }) => state !== "stopped" && state !== "starting");
  const engines = asked.flatMap((entry) => {
    const { role, name } = entry.spec;
    return role === "router" ? [] : [{ name, role, url: urlOf(entry) }];
  });
  const router = table.all().find(({ spec }) => spec.role === "router");
  const said = await askRequests({
    engines,
    router: { name: "router", url: router === undefined ? undefined : urlOf(router) },
    secret,
  });
  return { details: mergeRequests(said, clock.wallMs()), unanswered: silentOnes(said) };
}

function urlOf({ state, ready }: ProcessEntry): string | undefined {
  return state === "ready" || state === "draining" ? ready?.url : undefined;
}
