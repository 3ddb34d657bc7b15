import { closeSync, rmSync, writeSync } from "node:fs";
import type { FleetLine, Observation } from "../contract/observation.ts";
import { openNewFile } from "./new-file.ts";

/** What was recorded. */
export type Recorded = { readonly lines: number; readonly bytes: number };

/** Writes a recording line by line, its times from its own start. A file that is there is not written over. */
export async function recordTo(
  path: string,
  lines: AsyncIterable<FleetLine | Observation>,
  { bytesMax }: { readonly bytesMax: number },
): Promise<Recorded> {
  const file = openNewFile(path, { force: false, tryThis: "another file; nothing is written over it" });
  let count = 0;
  let bytes = 0;
  let startS: number | undefined;
  try {
    for await (const line of lines) {
      if (line.kind !== "fleet") startS ??= line.t;
      bytes += writeSync(file, `${JSON.stringify(fromStart(line, startS ?? 0))}\n`);
      count += 1;
      if (bytes >= bytesMax) break;
    }
  } finally {
    closeSync(file);
    // Nothing was recorded: the next try may have the name.
    if (count === 0) rmSync(path, { force: true });
  }
  return { lines: count, bytes };
}

// Microseconds: what lies below is noise of subtracting.
function fromStart(line: FleetLine | Observation, startS: number): unknown {
  if (line.kind === "fleet") return line;
  const from = (seconds: number): number => Math.round((seconds - startS) * 1e6) / 1e6;
  const began = line.kind === "sample" && line.start_time !== undefined ? { start_time: from(line.start_time) } : {};
  return { ...line, t: from(line.t), ...began };
}
