import type { Observation } from "../../contract/observation.ts";
import type { Track } from "./history.ts";
import { stallFrom } from "./stall.ts";

/** A transfer engine's own line, "... 81.2 MB/s over last 5s", is a source of bytes where there is no counter. */
export function seenLog(
  tracks: Map<string, Track>,
  { id, line }: Extract<Observation, { kind: "log" }>,
  nowMs: number,
): void {
  const track = tracks.get(id);
  const found = speed.exec(line);
  if (track === undefined || found === null) return;
  const [, value, unit = "", over] = found;
  const perSecond = Number(value) * (bytesOf[unit.toUpperCase()] ?? 1);
  const told: Track = { ...track, logsBytes: true };
  const overMs = Number(over ?? 1) * 1_000;
  const move = { atMs: nowMs, by: perSecond * (overMs / 1_000), overMs };
  tracks.set(
    id,
    perSecond > 0 ? { ...told, still: stallFrom(nowMs), moves: { ...told.moves, transfer_bytes_total: move } } : told,
  );
}

const speed = /(\d+(?:\.\d+)?) ?([KMG])i?B\/s(?:[^\n]{0,40}?last (\d+(?:\.\d+)?) ?s)?/i;
const bytesOf: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, G: 1e9 };
