import type { Clock } from "../lib/clock.ts";
import type { Places } from "../lib/places.ts";
import { until } from "../lib/wait.ts";
import { coRestart } from "./co-restart.ts";
import { stuckWords } from "./decide.ts";
import { failOldest } from "./fail-oldest.ts";
import { allowedSteps, type Fleet } from "./fleet.ts";
import type { Limits } from "./limits.ts";
import { lookAtAll } from "./look.ts";
import { isAllQuiet, type Oldest, type Sight, see } from "./sight.ts";
import type { Teller } from "./teller.ts";

export type Healing = {
  readonly fleet: Fleet;
  readonly places: Places;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly teller: Teller;
  readonly sight: Sight;
  /** Whether the hour since the last one is over. */
  readonly mayCoRestart: boolean;
  readonly onCoRestart: () => void;
  /** Throws once the wish or the lock is another's. */
  readonly check: () => void;
  readonly signal: AbortSignal;
};

/** Fails the oldest request; where that has no effect, restarts all engines. Under the lock. */
export async function heal(oldest: Oldest, healing: Healing): Promise<void> {
  const { fleet, places, limits, teller, signal } = healing;
  const subject = `engine ${oldest.engine}`;
  const say = (words: string): void => teller.tell({ subject, severity: "critical", words });
  const steps = allowedSteps(fleet.saved.config);
  const why = `watchdog: ${stuckWords(oldest)}, without any progress there`;
  if (steps.includes("fail")) {
    say(`fail: ${why}`);
    for (const words of await failOldest(oldest, { fleet, places, why, signal })) say(words);
    if (await isGone(oldest, healing)) {
      return teller.tell({ subject, severity: "ok", words: "the fail had its effect" });
    }
    say(`the fail had no effect within ${limits.effectMs / 1_000} s`);
  }
  const refused = await whyNoCoRestart(steps, healing);
  if (refused !== undefined) return say(`no co-restart: ${refused}`);
  healing.check();
  healing.onCoRestart();
  const subjects = oldest.id === undefined ? [] : [oldest.id];
  await coRestart({ fleet, places, why, subjects, say, check: healing.check, signal });
}

async function isGone(oldest: Oldest, { fleet, places, limits, check, signal }: Healing): Promise<boolean> {
  const gone = await until(
    async () => {
      check();
      const look = (await lookAtAll(fleet, places, signal)).find(({ name }) => name === oldest.engine);
      if (look?.kind !== "answered") return undefined;
      const still = look.oldest !== undefined && (oldest.id === undefined || look.oldest.id === oldest.id);
      return still ? undefined : true;
    },
    { everyMs: limits.pollMs, limitMs: limits.effectMs, signal },
  );
  return gone ?? false;
}

// One stuck request beside moving ones never leads to more than its fail.
async function whyNoCoRestart(steps: readonly string[], healing: Healing): Promise<string | undefined> {
  const { fleet, places, sight, limits, mayCoRestart, signal } = healing;
  if (!steps.includes("co-restart")) return "the policy's act does not allow it";
  if (fleet.engines.some(({ engine }) => engine.url !== undefined)) return "an engine of it is not pdctl's to restart";
  if (!mayCoRestart) return `the last one was less than ${limits.coRestartEveryMs / 60_000} min ago`;
  const looks = await lookAtAll(fleet, places, signal);
  return isAllQuiet(see(sight, looks, 0), looks, limits.quietMs)
    ? undefined
    : "not every engine is known to stand still";
}
