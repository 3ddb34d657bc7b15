import { pause } from "../lib/wait.ts";
import type { LogLine } from "./log-files.ts";
import { LogFollower } from "./log-follower.ts";

const lookEveryMs = 200;

/** The lines that are added to logs, by the newest file of each, until the signal aborts. */
export async function* followLogs(
  logs: ReadonlyMap<string, readonly string[]>,
  signal: AbortSignal,
): AsyncGenerator<LogLine> {
  const newest = [...logs].flatMap(([name, files]) => files.slice(-1).map((path) => ({ name, path })));
  const followers = newest.map(({ name, path }) => new LogFollower(name, path, { fromEnd: true }));
  try {
    while (!signal.aborted) {
      for (const one of followers) yield* one.take();
      await pause(lookEveryMs, signal).catch(() => undefined);
    }
  } finally {
    for (const one of followers) one.close();
  }
}
