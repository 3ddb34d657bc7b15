import type { LiveView } from "../contract/events.ts";
import { wholeFrame } from "./frame.ts";
import { painted } from "./line.ts";
import { begun } from "./reduce.ts";
import type { Moment } from "./state.ts";

/** The fleet as `top` shows it, once and whole, for pipes and people without a terminal. */
export function plainFrame(view: LiveView, now: Moment, columns: number): string {
  return wholeFrame(begun(view, now), columns)
    .map((line) => `${painted(line, { columns, colour: false }).trimEnd()}\n`)
    .join("");
}
