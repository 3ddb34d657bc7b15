import type { LiveView } from "../contract/events.ts";
import type { Clock } from "../lib/clock.ts";
import { momentOf, type TopEvent } from "./state.ts";

/** What keeps a screen alive. Called with where its events go; returns what ends it. */
export type Feed = (to: {
  readonly onEvent: (event: TopEvent) => void;
  readonly onError: (error: Error) => void;
}) => () => void;

// So that the silence of a daemon is seen to grow.
const tickMs = 1_000;

/** The views as they come, and the time. The client has daemons come and go: what ends the views is an error. */
export function feedOf(views: AsyncIterator<LiveView>, clock: Clock): Feed {
  return ({ onEvent, onError }) => {
    let over = false;
    const follow = async (): Promise<void> => {
      for (;;) {
        const { done, value } = await views.next();
        if (done || over) return;
        onEvent({ kind: "view", view: value, now: momentOf(clock) });
      }
    };
    follow().catch((error: unknown) => onError(error instanceof Error ? error : new Error(String(error))));
    const ticking = setInterval(() => onEvent({ kind: "clock", now: momentOf(clock) }), tickMs);
    return () => {
      over = true;
      clearInterval(ticking);
    };
  };
}
