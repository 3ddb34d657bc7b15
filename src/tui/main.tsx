import { render } from "ink";
import { PdctlError } from "../contract/errors.ts";
import type { LiveView } from "../contract/events.ts";
import type { Clock } from "../lib/clock.ts";
import { App, type Ending } from "./app.tsx";
import { feedOf } from "./feed.ts";

const homeAndErase = "\u001B[H\u001B[J";

export type TopOptions = {
  readonly first: LiveView;
  /** What comes after it. */
  readonly views: AsyncIterator<LiveView>;
  readonly clock: Clock;
  readonly colour: boolean;
  readonly signal: AbortSignal;
};

/** Draws the fleet until a key, a signal or an error ends it; the terminal is as it was by then. */
export async function runTop({ first, views, clock, colour, signal }: TopOptions): Promise<void> {
  // Ink does so with its first effect: a key before that would be written into the picture, and move it.
  process.stdin.setRawMode(true);
  const feed = feedOf(views, clock);
  const wipe = (): void => {
    process.stdout.write(homeAndErase);
    screen.clear();
  };
  const screen = render(<App first={first} feed={feed} clock={clock} colour={colour} wipe={wipe} />, {
    alternateScreen: true,
    incrementalRendering: true,
    // Whoever calls has seen that this is a terminal; Ink would believe a CI variable more than that.
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: false,
  });
  const leave = (): void => screen.unmount();
  signal.addEventListener("abort", leave);
  try {
    const ending = (await screen.waitUntilExit()) as Ending | undefined;
    signal.throwIfAborted();
    if (ending === "interrupt") throw new PdctlError("interrupted", "Interrupted.", "");
  } finally {
    signal.removeEventListener("abort", leave);
    screen.unmount();
  }
}
