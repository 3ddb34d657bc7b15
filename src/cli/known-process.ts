import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { identitySchema } from "../contract/run-record.ts";
import type { Places } from "../lib/places.ts";
import { bootId, isAlive, type ProcessIdentity } from "../lib/processes.ts";

const recordSchema = identitySchema.extend({ bootId: z.string() });

/** The daemon or the watchdog that left its record in the run folder, if that very process still runs. */
export function knownProcess({ run }: Pick<Places, "run">, who: "daemon" | "watchdog"): ProcessIdentity | undefined {
  const parsed = recordSchema.safeParse(contentOf(join(run, `${who}.json`)));
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
