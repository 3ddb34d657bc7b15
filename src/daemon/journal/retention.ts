// How much the journal keeps: the only place that says so. An observation of sixteen engines is about 10 KB.

/** Rows of each table; the oldest go first. */
export const rowsMax = {
  events: 20_000,
  observations: 50_000,
  verdicts: 20_000,
  actions: 5_000,
  outcomes: 5_000,
  incidents: 1_000,
} as const;

export type Table = keyof typeof rowsMax;

/** Of the whole file; what would grow beyond it is refused by SQLite, and makes room. */
export const bytesMax = 64 * 1024 * 1024;

/** The rows are counted once in so many pages. */
export const pruneEveryPages = 64;

/** Of one observation; a longer one is kept without its requests. */
export const lineBytesMax = 32 * 1024;

/** Ticks that could not be written wait for the next one. */
export const pagesWaitingMax = 60;

/** What a daemon that starts reads back. */
export const readBack = { events: 1_000, incidents: 200, actions: 1_000 } as const;

/** Of each target one observation in this time is kept while all is well. */
export const thinMs = 10_000;

/** Around trouble all are kept: this many of those before it, and for this long after it. */
export const around = { before: 30, afterMs: 30_000 } as const;
