import type { Sample } from "../../contract/observation.ts";
import type { Track } from "./history.ts";

/** Whether it is in the middle of its start: told by what it says of itself, until it is seen at work. */
export function withStart(track: Track, { health, t, start_time: startS }: Sample, nowMs: number): Track {
  if (track.startsMs !== undefined || (track.latest !== undefined && health !== "starting")) return track;
  const young = startS !== undefined && health === "fail" && t - startS < youngS;
  if (health !== "starting" && health !== "refused" && !young) return track;
  const sinceMs = startS === undefined ? track.bornMs : nowMs - Math.max(0, t - startS) * 1_000;
  return { ...track, startsMs: sinceMs };
}

// Beyond any start limit it is not starting, whatever it says.
const youngS = 86_400;

/**
 * Whether it may still be loading. A native engine answers when it can work; of the others a page that says ok is no
 * proof, and one that does not answer may be reading its weights.
 */
export function isLoading({ startsMs, proven, latest, who }: Track): boolean {
  if (startsMs === undefined || proven) return false;
  return who.driver !== "native" || latest === undefined || latest.health === "starting";
}
