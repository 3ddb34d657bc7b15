/** Where time comes from: monotonic for durations, wall for display only. */
export type Clock = { readonly nowMs: () => number; readonly wallMs: () => number };

/** nowMs counts from the start of the machine, so that processes and a daemon after a restart can compare it. */
export const systemClock: Clock = {
  nowMs: () => Number(process.hrtime.bigint() / 1_000n) / 1_000,
  wallMs: () => Date.now(),
};
