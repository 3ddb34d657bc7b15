import type { History, Leg, RequestTrack, Track } from "./history.ts";

// Below it any request finds room: whoever waits for pages then is forgotten, and not behind those that run.
const kvFull = 0.2;

/** Whether something explains that a request stands still: it waits for others, and those make progress. */
export function excused({ prefill, decode }: RequestTrack, { tracks, nowMs }: History): boolean {
  const moves = (leg: Leg | undefined): boolean => leg !== undefined && isMoving(tracks.get(leg.engine), nowMs);
  // Before its transfer it waits where it stands: behind others in a queue, or for its turn in a batch.
  const queued = (leg: Leg | undefined): boolean => leg?.seen.stage === "waiting" || leg?.seen.stage === "running";
  if (decode?.seen.stage === "prealloc" && isFull(tracks.get(decode.engine)) && moves(decode)) return true;
  return (queued(prefill) && moves(prefill)) || (queued(decode) && moves(decode));
}

function isMoving(track: Track | undefined, nowMs: number): boolean {
  return track !== undefined && track.still.sinceMs === nowMs;
}

/** What is not known does not accuse. */
function isFull(track: Track | undefined): boolean {
  const usage = track?.latest?.kv_usage;
  return usage === undefined || usage >= kvFull;
}
