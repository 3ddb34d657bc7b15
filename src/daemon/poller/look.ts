import type { EdgeLine, Sample } from "../../contract/observation.ts";
import type { Clock } from "../../lib/clock.ts";
import { type GroupFacts, groupFacts } from "../../lib/process-facts.ts";
import { limited } from "../../lib/wait.ts";
import { type Answer, askTarget, onlyHealth } from "./ask-target.ts";
import type { Target } from "./target.ts";

/** What one look at a target has brought. */
export type Look = {
  readonly sample: Sample;
  readonly edges: readonly EdgeLine[];
  readonly canaries: readonly string[];
};

export type LookParts = { readonly clock: Clock; readonly secret: string; readonly limitMs: number };

/**
 * Asks the target and the kernel. The kernel's part is there also where the target does not answer. Undefined where
 * there is nobody to ask: no data is a gap, and no sign of anything.
 */
export async function look(
  target: Target,
  { clock, secret, limitMs }: LookParts,
  signal: AbortSignal,
): Promise<Look | undefined> {
  const answer = await answerOf(target, secret, limited(limitMs, signal));
  const facts = groupFacts(target.members);
  if (answer === undefined && facts === undefined) return undefined;
  const at = { t: clock.nowMs() / 1_000 };
  return {
    sample: {
      kind: "sample",
      ...at,
      id: target.name,
      generation: target.generation,
      ...(answer === undefined ? {} : { health: answer.health, ...answer.fields }),
      ...(facts === undefined ? {} : factFields(facts)),
      ...(hasFailed(target) ? { proc_state: "X" } : {}),
    },
    edges: (answer?.edges ?? []).map((edge) => ({ kind: "edge", ...at, ...edge })),
    canaries: answer?.canaries ?? [],
  };
}

async function answerOf(target: Target, secret: string, limit: AbortSignal): Promise<Answer | undefined> {
  const { url, state, members } = target;
  if (hasFailed(target)) return onlyHealth("refused");
  // Its port may be another's by now: with nobody left there is nobody to ask.
  if (members.length > 0 && groupFacts(members)?.living === 0) return onlyHealth("refused");
  if (url !== undefined) return await askTarget({ ...target, url }, secret, limit);
  return state === "starting" ? onlyHealth("starting") : undefined;
}

// Of one that has failed nobody is left: that is known, also where there never was anybody, and is no gap.
function hasFailed({ state, members }: Target): boolean {
  return state === "failed" && members.length === 0;
}

function factFields({ state, cpuSeconds, rssBytes }: GroupFacts): Partial<Sample> {
  return { proc_state: state, cpu_seconds_total: cpuSeconds, rss_bytes: rssBytes };
}
