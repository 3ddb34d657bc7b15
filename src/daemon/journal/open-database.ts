import { renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Remembered } from "./page.ts";
import { type Moment, rememberedIn } from "./read-back.ts";
import { bytesMax } from "./retention.ts";
import { makeTables, numberOf, UnreadableError } from "./tables.ts";

export type JournalOptions = Moment & { readonly path: string; readonly bytesMax?: number };

/** An open journal with what is in it, or why there is none. */
export type Opened = {
  readonly database?: DatabaseSync;
  readonly remembered: Remembered;
  /** Why the one before was moved aside, where it was. */
  readonly aside?: string;
  readonly fault?: string;
};

const nothing: Remembered = { incidents: [], actions: [], events: [], counts: { events: 0, incidents: 0 }, kept: {} };

/** Opens the journal; one that is broken is moved aside for people to look at, and a new one is begun. */
export function openDatabase(options: JournalOptions): Opened {
  try {
    return openAt(options);
  } catch (error) {
    if (!isBroken(error)) return { remembered: nothing, fault: `the journal cannot be opened: ${wordsOf(error)}` };
    return { ...anew(options), aside: `the journal was unreadable (${wordsOf(error)}) and is now journal.db.aside` };
  }
}

function anew(options: JournalOptions): Opened {
  try {
    renameSync(options.path, `${options.path}.aside`);
    // They belong to the file that is gone, and would be read into the new one.
    for (const ending of ["-wal", "-shm"]) rmSync(options.path + ending, { force: true });
    return openAt(options);
  } catch (error) {
    return { remembered: nothing, fault: `the journal cannot be made: ${wordsOf(error)}` };
  }
}

function openAt({ path, bytesMax: most = bytesMax, ...moment }: JournalOptions): Opened {
  const database = new DatabaseSync(path);
  try {
    // Written to the file at checkpoints only: a crash of this process loses nothing, one of the machine little.
    database.exec("pragma journal_mode = wal; pragma synchronous = normal");
    makeTables(database);
    database.exec(`pragma max_page_count = ${Math.floor(most / numberOf(database, "pragma page_size", "page_size"))}`);
    return { database, remembered: rememberedIn(database, moment) };
  } catch (error) {
    database.close();
    throw error;
  }
}

// SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR (a table or a column is missing). All else may pass by itself.
const broken: readonly unknown[] = [11, 26, 1];
// SQLITE_FULL: the disk, or the limit that is set on the file.
const full = 13;

function isBroken(error: unknown): boolean {
  if (error instanceof UnreadableError || error instanceof SyntaxError) return true;
  return broken.includes(codeOf(error));
}

export function isFull(error: unknown): boolean {
  return codeOf(error) === full;
}

// Extended codes of SQLite hold the primary one in their lowest byte.
function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error && "errcode" in error && typeof error.errcode === "number")) return undefined;
  return error.errcode & 0xff;
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
