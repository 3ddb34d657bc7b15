import { setTimeout as sleep } from "node:timers/promises";

/** Asks until the answer is not undefined. The deadline is generous: it only ends a wait that is lost. */
export async function until<T>(
  what: string,
  withinMs: number,
  ask: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms for ${what}`);
    await sleep(50);
  }
}

/** Rejects with words when a promise needs longer than it ever should. */
export async function within<T>(what: string, limitMs: number, promise: Promise<T>): Promise<T> {
  const given = new AbortController();
  const late = sleep(limitMs, undefined, { signal: given.signal }).then(() => {
    throw new Error(`${what} took longer than ${limitMs} ms`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    given.abort();
    late.catch(() => {}); // the aborted timer rejects, and nobody waits for it any more
  }
}
