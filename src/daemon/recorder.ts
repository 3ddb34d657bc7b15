import type { FleetEvent } from "../contract/events.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { EventLog, Happening } from "./event-log.ts";
import { changedVerdicts, happeningsOf, isCalm } from "./happenings.ts";
import type { IncidentBook } from "./incident-book.ts";
import type { Journal } from "./journal/journal.ts";
import type { KeptIncident } from "./journal/page.ts";
import type { Thinner } from "./journal/thin.ts";
import type { Turn } from "./loop.ts";

export type RecorderParts = {
  readonly journal: Pick<Journal, "write" | "fault">;
  readonly events: EventLog;
  readonly thinner: Thinner;
  readonly clock: Clock;
  readonly log: Log;
  readonly bootId: string;
  readonly onEvent: (event: FleetEvent) => void;
};

// What it says beyond actions and outcomes (how long an engine has been healthy) may be that old after a crash.
const ledgerEveryMs = 30_000;

/** Remembers what each tick was about: in the journal, and as events. */
export class Recorder {
  readonly #parts: RecorderParts;
  #told: Happening[] = [];
  #fault: string | undefined;
  #ledgerMs: number | undefined;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** Something that no tick brought about; it is on record with the next one. */
  tell(happening: Happening): void {
    this.#told.push(happening);
  }

  record(turn: Turn): void {
    const { journal, events, thinner, clock, bootId, onEvent } = this.#parts;
    const { before, after, actions, taken, verdicts, seen } = turn;
    const moment = { nowMs: after.tickMs ?? clock.nowMs(), wallMs: clock.wallMs() };
    const news = [...this.#told.splice(0), ...happeningsOf({ before, after, actions, ...taken })];
    const fresh = events.add(news, moment);
    journal.write({
      ...moment,
      events: fresh,
      seen: thinner.keep(seen, { troubled: !verdicts.every(isCalm), nowMs: moment.nowMs }),
      verdicts: changedVerdicts(before.verdicts, verdicts),
      actions,
      outcomes: taken.outcomes,
      incidents: changedIncidents(before.book, after.book),
      kept: { boot: bootId, ...this.#ledger(turn, moment.nowMs), ...restriction(after, moment) },
    });
    this.#noteFault(journal.fault);
    for (const event of fresh) onEvent(event);
  }

  #ledger({ after, actions, taken }: Turn, nowMs: number): { ledger?: string } {
    const isNew = actions.length > 0 || taken.outcomes.length > 0;
    if (!isNew && this.#ledgerMs !== undefined && nowMs - this.#ledgerMs < ledgerEveryMs) return {};
    this.#ledgerMs = nowMs;
    return { ledger: JSON.stringify(after.ledger) };
  }

  // Told when it begins and when it is over, not each tick.
  #noteFault(fault: string | undefined): void {
    if ((fault === undefined) === (this.#fault === undefined)) return;
    this.#fault = fault;
    const words = fault ?? "the journal is written again";
    this.#parts.log.warn(words);
    this.tell({ kind: "state", subject: "journal", words, severity: fault === undefined ? "ok" : "warning" });
  }
}

function changedIncidents(before: IncidentBook, after: IncidentBook): KeptIncident[] {
  if (before === after) return [];
  const known = new Set([...before.open, ...before.ended]);
  return [...after.open, ...after.ended].filter((one) => !known.has(one));
}

/** Kept by the wall clock: it has to outlive this process, and the machine's run. */
function restriction({ restricted }: Turn["after"], moment: { nowMs: number; wallMs: number }): Record<string, string> {
  if (restricted === undefined) return {};
  const untilWallMs = restricted.untilMs - moment.nowMs + moment.wallMs;
  return { restricted: JSON.stringify({ words: restricted.words, untilWallMs }) };
}
