/** The daemon as the watchdog has watched it. */
export type Pulse = {
  /** Which daemon: another one begins anew. */
  readonly daemon: string;
  readonly beat: string | undefined;
  /** How long it was watched without a beat. */
  readonly stillMs: number;
  readonly hasBeaten: boolean;
};

export type PulseLook = { readonly daemon: string; readonly beat: string | undefined };

/** A heartbeat that lay there when this daemon was first seen may be the one before's: it counts once it moves. */
export function feel(before: Pulse | undefined, look: PulseLook, stepMs: number): Pulse {
  if (before?.daemon !== look.daemon) return { ...look, stillMs: 0, hasBeaten: false };
  if (before.beat !== look.beat) return { ...look, stillMs: 0, hasBeaten: look.beat !== undefined };
  return { ...before, stillMs: before.stillMs + stepMs };
}

/** Whether the daemon, although its process is there, does nothing any more. */
export function isFrozen(
  { stillMs, hasBeaten }: Pulse,
  { heartbeatMs, firstBeatMs }: { readonly heartbeatMs: number; readonly firstBeatMs: number },
): boolean {
  return stillMs >= (hasBeaten ? heartbeatMs : firstBeatMs);
}
