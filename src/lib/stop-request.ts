/**
 * Aborts on the first SIGTERM or SIGINT; the second ends the process at once, as it does by default. With
 * `lifeline` also when stdin ends: whoever holds the other end is gone.
 */
export function stopRequest({ lifeline }: { readonly lifeline: boolean }): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => {
    process.off("SIGTERM", stop);
    process.off("SIGINT", stop);
    controller.abort();
    if (lifeline) process.stdin.destroy();
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  if (lifeline) process.stdin.on("end", stop).on("close", stop).on("error", stop).resume();
  return controller.signal;
}
