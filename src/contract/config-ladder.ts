import type { FleetConfig } from "./config.ts";
import type { ConfigProblem } from "./config-problem.ts";
import { durationText } from "./units.ts";

// From operations.md: the time that a native engine gets to show the effect of an action.
const settleMs = 5_000;

/** Times that do not fit each other: each step must leave the next one time to act. */
export function ladderProblems({ policy, deadlines, watchdog }: FleetConfig): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const refuse = (wrong: boolean, path: ConfigProblem["path"], words: string): void => {
    if (wrong) problems.push({ path, words });
  };
  const text = durationText;
  refuse(
    policy.poll * 3 > policy.suspect,
    ["policy", "suspect"],
    `must be at least ${text(policy.poll * 3)}, three times policy.poll; found ${text(policy.suspect)}`,
  );
  refuse(
    policy.suspect >= policy.wedge,
    ["policy", "wedge"],
    `must be longer than policy.suspect (${text(policy.suspect)}); found ${text(policy.wedge)}`,
  );
  for (const name of ["bootstrap", "waiting", "inflight"] as const) {
    const limit = text(deadlines["first-token"]);
    const found = text(deadlines[name]);
    refuse(
      deadlines[name] >= deadlines["first-token"],
      ["deadlines", name],
      `must be below deadlines.first-token (${limit}); found ${found}`,
    );
    refuse(deadlines[name] < 1_000, ["deadlines", name], `must be at least 1s; found ${found}`);
  }
  if (!watchdog.enabled || problems.length > 0) return problems;
  // Named by the key that makes the limit too short: the limit itself has a usual value that few files set.
  const hardLimit = `watchdog.hard-limit (${text(watchdog["hard-limit"])})`;
  refuse(
    watchdog["hard-limit"] < deadlines.inflight,
    ["deadlines", "inflight"],
    `must be at most ${hardLimit}: lower it or raise the limit; found ${text(deadlines.inflight)}`,
  );
  refuse(
    watchdog["hard-limit"] < policy.wedge + 2 * settleMs,
    ["policy", "wedge"],
    `must be at least ${text(2 * settleMs)} below ${hardLimit}: lower it or raise the limit; found ${text(policy.wedge)}`,
  );
  return problems;
}
