/** Since when something stands still, on a clock that stands while data is missing. */
export type Stall = {
  /** When it began, and when it was looked at last. */
  readonly sinceMs: number;
  readonly atMs: number;
  /** How long it has been seen to stand still: never more than atMs - sinceMs. */
  readonly ms: number;
};

export function stallFrom(nowMs: number): Stall {
  return { sinceMs: nowMs, atMs: nowMs, ms: 0 };
}

/** One more look without a change. A look that comes after a gap counts nothing of the time before it. */
export function stood(stall: Stall, nowMs: number, gapMs: number): Stall {
  const passedMs = Math.max(0, nowMs - stall.atMs);
  return {
    sinceMs: stall.sinceMs,
    atMs: Math.max(nowMs, stall.atMs),
    ms: stall.ms + (passedMs > gapMs ? 0 : passedMs),
  };
}
