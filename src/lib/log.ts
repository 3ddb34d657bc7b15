import { type Logger, pino } from "pino";

export type Log = Logger;

/**
 * A log of JSON lines in a file, written at once: the last line before a crash is there. Where the disk takes no more,
 * lines are lost and the process goes on.
 */
export function fileLog(path: string): Log {
  const destination = pino.destination({ dest: path, sync: true, mode: 0o600 });
  destination.on("error", () => undefined);
  return pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
