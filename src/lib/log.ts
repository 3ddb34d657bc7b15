import { type Logger, pino } from "pino";

export type Log = Logger;

/** A log of JSON lines in a file, written at once: the last line before a crash is there. */
export function fileLog(path: string): Log {
  return pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: path, sync: true, mode: 0o600 }),
  );
}
