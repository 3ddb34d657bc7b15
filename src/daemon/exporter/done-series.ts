import { Counter, Histogram, type Registry } from "prom-client";
import type { ActionName, OutcomeName } from "../../contract/action.ts";
import type { Cause, VerdictName } from "../../contract/verdict.ts";

/** What has happened since this daemon began. */
export class DoneSeries {
  readonly #actions: Counter;
  readonly #incidents: Counter;
  readonly #heal: Histogram;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#actions = new Counter({
      name: "pdctl_actions_total",
      help: "Actions that ended, by outcome.",
      labelNames: ["action", "outcome"],
      registers,
    });
    this.#incidents = new Counter({
      name: "pdctl_incidents_total",
      help: "Incidents that began, by cause.",
      labelNames: ["cause"],
      registers,
    });
    this.#heal = new Histogram({
      name: "pdctl_heal_seconds",
      help: "From the first evidence of an incident until it was healed.",
      buckets: [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_800],
      registers,
    });
  }

  action(action: ActionName, outcome: OutcomeName): void {
    this.#actions.inc({ action, outcome });
  }

  /** A verdict without causes stands for its own. */
  incident(verdict: VerdictName, cause: Cause | undefined): void {
    this.#incidents.inc({ cause: cause ?? verdict });
  }

  heal(seconds: number): void {
    this.#heal.observe(seconds);
  }
}
