import { readPage } from "../contract/error-page.ts";
import { PdctlError } from "../contract/errors.ts";
import type { FleetEvent } from "../contract/events.ts";
import type { Turn } from "./loop.ts";
import type { DaemonOptions } from "./options.ts";

export type TalkParts = Pick<DaemonOptions, "say" | "onUp" | "onStop"> & {
  /** A start that failed ends a fleet that lives only as long as this process. */
  readonly giveUp: () => void;
};

/** What the daemon says to whoever started it: progress, that the fleet serves, or why it does not. */
export class Talk {
  readonly #parts: TalkParts;
  #isUp = false;
  #failure: PdctlError | undefined;

  constructor(parts: TalkParts) {
    this.#parts = parts;
  }

  /** Why the start failed, where the fleet was given up for it. */
  get failure(): PdctlError | undefined {
    return this.#failure;
  }

  hear({ kind, subject, words }: FleetEvent): void {
    if (kind !== "verdict") this.#parts.say(`${subject.padEnd(10)} ${words}`);
  }

  follow({ after: { rise, view } }: Turn): void {
    const { onUp, onStop, giveUp } = this.#parts;
    const url = view.processes.find(({ spec }) => spec.role === "router")?.ready?.url;
    if (rise.kind === "served" && url !== undefined && !this.#isUp) {
      this.#isUp = true;
      onUp(url);
    }
    if (rise.kind !== "failed" || onStop === "leave" || this.#failure !== undefined) return;
    this.#failure = failureOf(rise.words);
    giveUp();
  }
}

// The page of the process that failed, where it left one: it names what to change.
function failureOf(words: string): PdctlError {
  const [first = words] = words.split("\n");
  return readPage(words.split("\n")) ?? new PdctlError("engine-start-failed", first, "pdctl logs shows each process");
}
