import type { Intent } from "../contract/saved-fleet.ts";
import type { Places } from "../lib/places.ts";
import { writeEvenWhenFull } from "../lib/write-even-when-full.ts";
import type { Desired } from "./state.ts";
import { readWish } from "./supervisor/wish-file.ts";

/** What Ctrl-C and the wish of an earlier daemon give open requests; `down --drain` asks for its own. */
export const drainUsualMs = 10_000;

/** The wish on disk. Nobody has wished anything yet: whoever runs a daemon wants the fleet up. */
export function desiredOf({ intent }: Pick<Places, "intent">, wallMs: number): Desired {
  const found = readWish(intent);
  const isOver = found?.until !== undefined && Date.parse(found.until) <= wallMs;
  const wish = found === undefined || (found.wish === "maintenance" && isOver) ? "up" : found.wish;
  return { wish, drainMs: drainUsualMs, now: false };
}

/** Puts the wish on disk, for whoever comes after this process. `last`: what was there, where it is spoilt now. */
export function writeIntent({ intent }: Pick<Places, "intent">, { wish }: Desired, epoch: number, last?: Intent): void {
  const there = readWish(intent);
  const found = there ?? last;
  const until = wish === "maintenance" && found?.until !== undefined ? { until: found.until } : {};
  const next: Intent = { wish, epoch: Math.max(epoch, found?.epoch ?? 0), ...until };
  if (JSON.stringify(there) === JSON.stringify(next)) return;
  writeEvenWhenFull(intent, `${JSON.stringify(next)}\n`);
}
