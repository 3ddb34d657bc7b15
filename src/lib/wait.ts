import { setTimeout as timeout } from "node:timers/promises";

/** Waits that long, or rejects with the signal's reason at once when it aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await timeout(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** Asks until the answer is not undefined, every `everyMs`; undefined when `limitMs` is over. */
export async function until<T>(
  ask: () => Promise<T | undefined> | T | undefined,
  { everyMs, limitMs, signal }: { everyMs: number; limitMs: number; signal: AbortSignal },
): Promise<T | undefined> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    signal.throwIfAborted();
    const answer = await ask();
    if (answer !== undefined) return answer;
    const leftMs = endMs - performance.now();
    if (leftMs <= 0) return undefined;
    await pause(Math.min(everyMs, leftMs), signal);
  }
}

/** Aborts when the outer signal does, or after `ms`. */
export function limited(ms: number, signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(Math.max(0, Math.ceil(ms)));
  return signal === undefined ? limit : AbortSignal.any([signal, limit]);
}
