/** The daemon as the watchdog has watched it. */
export type Pulse = PulseLook & {
  /** How long it was watched without a beat. */
  readonly stillMs: number;
};

export type PulseLook = {
  /** Which daemon: another one begins anew. */
  readonly daemon: string;
  /** When it was started, on the clock of its beats. */
  readonly startedMs: number;
  /** What its heartbeat says; undefined where there is none. */
  readonly beat: string | undefined;
};

/** `stepMs`: how long this process has watched since the last look; its own sleep is nobody's silence. */
export function feel(before: Pulse | undefined, look: PulseLook, stepMs: number): Pulse {
  const isStill = before?.daemon === look.daemon && before.beat === look.beat;
  return { ...look, stillMs: isStill ? before.stillMs + stepMs : 0 };
}

/** Whether the daemon, although its process is there, does nothing any more. */
export function isFrozen(
  pulse: Pulse,
  { heartbeatMs, firstBeatMs }: { readonly heartbeatMs: number; readonly firstBeatMs: number },
): boolean {
  return pulse.stillMs >= (hasBeaten(pulse) ? heartbeatMs : firstBeatMs);
}

// A beat from before its start is that of the daemon before it.
function hasBeaten({ beat, startedMs }: PulseLook): boolean {
  return beat !== undefined && Number(beat) >= startedMs;
}
