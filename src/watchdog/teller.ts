import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

export type Severity = "ok" | "warning" | "critical";

/** What there is to tell of one subject at the moment. */
export type Notice = { readonly subject: string; readonly severity: Severity; readonly words: string };

/** The watchdog's events: lines in its log. It has no journal, so that a full disk or a locked one cannot stop it. */
export class Teller {
  readonly #log: Log;
  readonly #clock: Clock;
  #standing: ReadonlyMap<string, Notice> = new Map();

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  tell({ subject, severity, words }: Notice): void {
    this.#log.info({ atMs: this.#clock.nowMs(), kind: "watchdog", subject, severity }, words);
  }

  /** Tells what is new of these, and of those that are gone that they are. */
  keep(notices: readonly Notice[]): void {
    const now = new Map(notices.map((notice) => [notice.subject, notice]));
    for (const notice of notices) {
      if (this.#standing.get(notice.subject)?.severity !== notice.severity) this.tell(notice);
    }
    for (const { subject } of this.#standing.values()) {
      if (!now.has(subject)) this.tell({ subject, severity: "ok", words: "as it should be again" });
    }
    this.#standing = now;
  }
}
