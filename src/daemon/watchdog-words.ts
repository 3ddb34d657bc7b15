import { statSync } from "node:fs";
import { z } from "zod";
import { lastLines } from "../lib/file-tail.ts";
import type { Happening } from "./event-log.ts";

const lineSchema = z.object({
  time: z.string(),
  kind: z.literal("watchdog"),
  subject: z.string(),
  severity: z.enum(["ok", "warning", "critical"]),
  msg: z.string(),
});

// What it says while it does the daemon's work is some thirty lines.
const linesMax = 200;
const bytesMax = 128 * 1024;

/** What the watchdog has said in its log, so that events tell it, too: it has done the daemon's work meanwhile. */
export class WatchdogWords {
  readonly #path: string;
  readonly #since: string;
  #from = 0;

  /** `since`: what was said before has been told already. ISO 8601. */
  constructor(path: string, since: string) {
    this.#path = path;
    this.#since = since;
  }

  /** What is new since the last time. */
  take(): Happening[] {
    const size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    if (size === this.#from) return [];
    const lines = lastLines(this.#path, { linesMax, bytesMax, from: this.#from });
    this.#from = size;
    return lines.flatMap((line) => this.#happeningIn(line));
  }

  #happeningIn(line: string): Happening[] {
    const { success, data } = lineSchema.safeParse(jsonOf(line));
    // That one watches, and which, the daemon tells itself.
    if (!success || data.time <= this.#since || data.subject === "watchdog") return [];
    return [{ kind: "watchdog", subject: data.subject, words: data.msg, severity: data.severity }];
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
