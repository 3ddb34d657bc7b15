import type { DaemonClient } from "../client/daemon-client.ts";
import type { ActionView, Outcome } from "../contract/action.ts";
import { readPage } from "../contract/error-page.ts";
import { PdctlError } from "../contract/errors.ts";
import { systemClock } from "../lib/clock.ts";
import { until } from "../lib/wait.ts";
import { tellSteps } from "./tell-steps.ts";

const lookEveryMs = 200;

// A daemon that dies in the middle is replaced, and its successor goes on with the action.
const withoutDaemonMs = 60_000;

export type Watching = {
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
};

/** Waits for the outcome of a wish and tells its steps. Throws where it did not work, or was refused. */
export async function outcomeOf(client: DaemonClient, actionId: string, watching: Watching): Promise<Outcome> {
  const { limitMs, signal, say } = watching;
  const look = lookOver(client, actionId, watching);
  const steps = new AbortController();
  const told = tellSteps(client, {
    sinceMs: systemClock.nowMs(),
    say,
    signal: AbortSignal.any([signal, steps.signal]),
  });
  try {
    const outcome = await until(look, { everyMs: lookEveryMs, limitMs, signal });
    if (outcome !== undefined) return checked(outcome);
  } catch (error) {
    if (signal.aborted) say(`Action ${actionId} goes on without this command; pdctl events --follow shows its steps.`);
    throw error;
  } finally {
    steps.abort();
    await told;
  }
  const words = `Action ${actionId} had no outcome within ${limitMs / 1_000} s; it goes on.`;
  throw new PdctlError("timed-out", words, "pdctl events --follow shows its steps");
}

/** What was done, for people: its words, then what was released where. */
export function outcomeWords({ words, details }: Outcome): string {
  return [words, ...details.map((line) => `  ${line}`)].map((line) => `${line}\n`).join("");
}

function checked(outcome: Outcome): Outcome {
  const words = [outcome.words, ...outcome.details].join("\n  ");
  switch (outcome.outcome) {
    case "done":
    case "stale":
      return outcome;
    case "refused":
      throw new PdctlError("action-refused", words, "--force goes beyond a budget; pdctl status shows what else runs");
    case "failed": {
      // Its details may be the page of an error that says what to try.
      const page = readPage(outcome.details);
      if (page !== undefined) throw new PdctlError("action-failed", outcome.words, page.tryThis);
      throw new PdctlError("action-failed", words, "pdctl events shows its steps");
    }
    case "unknown":
      throw new PdctlError(
        "action-failed",
        words,
        "the daemon ended in the middle of it: pdctl status shows how it is now",
      );
  }
}

function lookOver(
  client: DaemonClient,
  actionId: string,
  { signal }: Watching,
): () => Promise<ActionView["outcome"] | undefined> {
  let answeredMs = performance.now();
  return async () => {
    try {
      const { outcome } = await client.action(actionId, signal);
      answeredMs = performance.now();
      return outcome;
    } catch (error) {
      if (!isAway(error) || performance.now() - answeredMs > withoutDaemonMs) throw error;
      return undefined;
    }
  };
}

function isAway(error: unknown): boolean {
  return error instanceof PdctlError && (error.code === "fleet-not-running" || error.code === "timed-out");
}
