/** Where time comes from: monotonic for durations, wall for display only. */
export type Clock = { readonly nowMs: () => number; readonly wallMs: () => number };

export const systemClock: Clock = { nowMs: () => performance.now(), wallMs: () => Date.now() };
