import { PdctlError } from "../contract/errors.ts";
import type { LiveView } from "../contract/events.ts";
import { pause } from "../lib/wait.ts";

// Ten ticks of the usual pace.
const usualLimitMs = 10_000;

/** The first of the views; an error where the daemon has accepted the connection and says nothing. */
export async function firstView(
  views: AsyncIterator<LiveView>,
  signal: AbortSignal,
  limitMs = usualLimitMs,
): Promise<LiveView> {
  const given = new AbortController();
  const late = pause(limitMs, AbortSignal.any([signal, given.signal])).then(() => {
    throw new PdctlError(
      "timed-out",
      `The daemon showed nothing of the fleet within ${limitMs / 1_000} s.`,
      "pdctl logs daemon; the watchdog replaces a daemon that hangs",
    );
  });
  late.catch(() => undefined); // whoever comes first is heard below; the other one is not missed
  try {
    const { done, value } = await Promise.race([views.next(), late]);
    if (!done) return value;
    signal.throwIfAborted();
    throw new PdctlError("fleet-not-running", "The daemon ended before it showed the fleet.", "pdctl up");
  } finally {
    given.abort();
  }
}
