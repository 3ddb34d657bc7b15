import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Places } from "../lib/places.ts";
import { bootId, isAlive, type ProcessIdentity } from "../lib/processes.ts";

const recordSchema = z.object({ pid: z.number().int().min(2), startTicks: z.number(), bootId: z.string() });

/** The daemon that left its record in the state folder, if that very process still runs. */
export function livingDaemon(places: Places): ProcessIdentity | undefined {
  const parsed = recordSchema.safeParse(contentOf(join(places.run, "daemon.json")));
  return parsed.success && parsed.data.bootId === bootId() && isAlive(parsed.data) ? parsed.data : undefined;
}

function contentOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error && error.code === "ENOENT"))
      return undefined;
    throw error;
  }
}
