import type { DatabaseSync } from "node:sqlite";
import { isFull, type JournalOptions, openDatabase, wordsOf } from "./open-database.ts";
import type { Page, Remembered } from "./page.ts";
import { pagesWaitingMax, pruneEveryPages } from "./retention.ts";
import { makeRoom, prune, writePages } from "./write-page.ts";

/** What was seen, decided and done, on disk. A journal that cannot be written never stops anybody. */
export class Journal {
  /** What was there at the start. */
  readonly remembered: Remembered;
  /** Why it was not, where nothing could be read of what was there. */
  readonly unread: string | undefined;
  readonly #options: JournalOptions;
  #database: DatabaseSync | undefined;
  #waiting: Page[] = [];
  #fault: string | undefined;
  #pages = 0;

  constructor(options: JournalOptions) {
    this.#options = options;
    const { database, remembered, aside, fault } = openDatabase(options);
    this.#database = database;
    this.remembered = remembered;
    this.unread = aside ?? fault;
    this.#fault = fault;
  }

  /** Why the latest page is not on disk; undefined where all is. */
  get fault(): string | undefined {
    return this.#fault;
  }

  write(page: Page): void {
    this.#waiting = [...this.#waiting, page].slice(-pagesWaitingMax);
    this.#pages += 1;
    const isRound = this.#pages % pruneEveryPages === 0;
    // One that could not be opened at the start may be possible by now.
    if (this.#database === undefined && isRound) this.#database = openDatabase(this.#options).database;
    if (this.#database !== undefined) this.#writeTo(this.#database, isRound);
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  #writeTo(database: DatabaseSync, isRound: boolean): void {
    try {
      writePages(database, this.#waiting, this.#options.bootId);
      this.#waiting = [];
      this.#fault = undefined;
      if (isRound) prune(database);
    } catch (error) {
      this.#fault = `the journal cannot be written: ${wordsOf(error)}`;
      if (isFull(error)) this.#makeRoom(database);
    }
  }

  #makeRoom(database: DatabaseSync): void {
    try {
      makeRoom(database);
    } catch (error) {
      // On a disk that is full, even taking away needs room; the next page tries again.
      this.#fault = `the journal cannot be written, and nothing of it taken away: ${wordsOf(error)}`;
    }
  }
}
