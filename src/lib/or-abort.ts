/** Waits for the promise, or rejects with the signal's reason at once when it aborts; what was begun goes on. */
export async function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: off, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([promise, off]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
