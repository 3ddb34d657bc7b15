/** Looks every 20 ms whether something is done, for at most `limitMs`. */
export async function untilDone(done: () => boolean, limitMs: number): Promise<void> {
  const endMs = performance.now() + limitMs;
  while (!done() && performance.now() < endMs) await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
}

const lookEveryMs = 20;

/** Resolves when the signal aborts; for whoever has nothing to do until then. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
}
