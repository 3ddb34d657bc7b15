import { type Intent, intentSchema, type SavedFleet, savedFleetSchema } from "../contract/saved-fleet.ts";
import { spelledConfig } from "../contract/spelled-config.ts";
import type { ActorLock } from "../lib/actor-lock.ts";
import type { Log } from "../lib/log.ts";
import { parsedJson } from "../lib/parsed-json.ts";
import type { Places } from "../lib/places.ts";
import { textIn } from "../lib/text-in.ts";
import { writeEvenWhenFull } from "../lib/write-even-when-full.ts";
import { writeIntent } from "./intent.ts";
import type { Desired } from "./state.ts";

export type OwnFilesParts = {
  readonly places: Places;
  readonly saved: SavedFleet;
  readonly secret: string;
  /** Who this daemon is, for whoever looks for it. */
  readonly record: { readonly path: string; readonly content: string };
  readonly lock: Pick<ActorLock, "stillHeld">;
  readonly log: Log;
};

type OwnFile = { readonly path: string; readonly isWhole: (text: string) => boolean; readonly write: () => void };

/**
 * The files by which others know the fleet: who runs it, what it is, what is wished, and the secret. Whoever takes one
 * away or spoils it would leave the next daemon, the watchdog and people without it: while a daemon lives they are whole.
 */
export class OwnFiles {
  readonly #parts: OwnFilesParts;
  readonly #files: readonly OwnFile[];
  #desired: Desired;
  /** As it was read last. */
  #intent: Intent | undefined;
  #epoch = 0;
  #isWritten = true;
  readonly #failing = new Set<string>();

  constructor(parts: OwnFilesParts, desired: Desired) {
    const { places, saved, secret, record } = parts;
    this.#parts = parts;
    this.#desired = desired;
    const spelled = `${JSON.stringify({ ...saved, config: spelledConfig(saved.config) })}\n`;
    this.#files = [
      { ...record, isWhole: (text) => text === record.content, write: () => over(record.path, record.content) },
      { path: places.saved, isWhole: isSavedFleet, write: () => over(places.saved, spelled) },
      {
        path: places.intent,
        isWhole: (text) => this.#isWritten && intentIn(text) !== undefined,
        write: () => this.#writeIntent(),
      },
      {
        path: places.secret,
        isWhole: (text) => text.trim() === secret,
        write: () => over(places.secret, `${secret}\n`),
      },
    ];
  }

  /** Puts the wish on disk. Where that cannot be done it counts all the same, and is written when it can. */
  wish(desired: Desired, epoch: number): void {
    this.#desired = desired;
    this.#epoch = epoch;
    this.#isWritten = false;
    const { places, log } = this.#parts;
    try {
      this.#writeIntent();
    } catch (error) {
      log.error({ error, path: places.intent }, "the wish cannot be written: it is carried out all the same");
    }
  }

  /** Writes again what is lost, spoilt or not written yet. */
  keep(epoch: number): void {
    const { lock, places } = this.#parts;
    // Who has taken over keeps his own.
    if (!lock.stillHeld()) return;
    this.#epoch = Math.max(this.#epoch, epoch);
    this.#intent = intentIn(textIn(places.intent) ?? "") ?? this.#intent;
    for (const file of this.#files) this.#keepOne(file);
  }

  #keepOne({ path, isWhole, write }: OwnFile): void {
    const { log } = this.#parts;
    const text = textIn(path);
    if (text !== undefined && isWhole(text)) return;
    try {
      write();
      this.#failing.delete(path);
      log.warn({ path }, "a file of the fleet was lost or spoilt: it is written again");
    } catch (error) {
      if (!this.#failing.has(path)) log.error({ error, path }, "a file of the fleet is lost and cannot be written");
      this.#failing.add(path);
    }
  }

  #writeIntent(): void {
    writeIntent(this.#parts.places, this.#desired, this.#epoch, this.#intent);
    this.#isWritten = true;
  }
}

const over = writeEvenWhenFull;

function isSavedFleet(text: string): boolean {
  return savedFleetSchema.safeParse(parsedJson(text)).success;
}

function intentIn(text: string): Intent | undefined {
  return intentSchema.safeParse(parsedJson(text)).data;
}
