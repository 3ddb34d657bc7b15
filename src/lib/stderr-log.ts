import { type Logger, pino } from "pino";

/** A log of JSON lines on stderr for a process that runs in the foreground, written at once. */
export function stderrLog(name: string): Logger {
  return pino({ base: { name }, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ dest: 2, sync: true }));
}
