import { PdctlError } from "../contract/errors.ts";
import { daemonToAsk } from "./daemon-to-ask.ts";
import type { FleetChoice } from "./fleet-places.ts";
import { type HealthResult, type HealthRule, healthResult, unknownHealth } from "./health-result.ts";

/** Asks the daemon once. That it cannot be asked is an answer, too; only a wrong command line is none. */
export async function askHealth(
  choice: FleetChoice & { readonly timeout: number },
  rule: HealthRule,
  signal: AbortSignal,
): Promise<HealthResult> {
  try {
    return healthResult(await daemonToAsk(choice, { limitMs: choice.timeout }).health(signal), rule);
  } catch (error) {
    const isUsage = error instanceof PdctlError && error.code === "usage";
    if (signal.aborted || isUsage || !(error instanceof Error)) throw error;
    return unknownHealth(error.message, rule);
  }
}
