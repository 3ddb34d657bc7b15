import type { Outcome } from "../contract/action.ts";
import { bootId } from "../lib/processes.ts";
import { EventLog } from "./event-log.ts";
import { fleetLineOf } from "./fleet-line.ts";
import { desiredOf, writeIntent } from "./intent.ts";
import type { DaemonOptions } from "./options.ts";
import type { Organs } from "./organs.ts";
import { recalled } from "./recall.ts";
import { beginning, type FleetState } from "./state.ts";

export type BroughtBack = {
  readonly state: FleetState;
  /** Of actions whose end no daemon has seen. */
  readonly unknown: readonly Outcome[];
  readonly eventLog: EventLog;
};

/** The state that a daemon begins with: what runs, what is wished, and what those before it have left on record. */
export function broughtBack(
  { journal, supervisor }: Pick<Organs, "journal" | "supervisor">,
  { places, saved: { config }, clock }: DaemonOptions,
): BroughtBack {
  const view = supervisor.view();
  const { remembered, unread } = journal;
  const moment = { bootId: bootId(), nowMs: clock.nowMs(), wallMs: clock.wallMs() };
  const { unknown, ...past } = recalled({ remembered, unread, goingOn: view.actions, config, ...moment });
  const desired = desiredOf(places, moment.wallMs);
  // Also where nobody has wished anything yet: the watchdog acts by what is on disk.
  writeIntent(places, desired, view.epoch);
  return {
    state: beginning({ ...past, view, desired, fleetLine: fleetLineOf(config) }),
    unknown,
    eventLog: new EventLog({ events: remembered.events, last: remembered.counts.events }),
  };
}
