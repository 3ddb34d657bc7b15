import { routerStateSchema } from "../contract/router-http.ts";
import { asked } from "../lib/asked.ts";
import { LineLog } from "../lib/line-log.ts";
import type { Places } from "../lib/places.ts";
import { writeWhole } from "../lib/private-files.ts";
import { askAdmin, type Door } from "./ask-admin.ts";
import { doorsOf } from "./fail-oldest.ts";
import { type Fleet, readIntent, type WatchedEngine } from "./fleet.ts";
import { startProcess, stopProcess } from "./one-process.ts";
import { edgesNow, whileHeld } from "./router-hold.ts";

export type CoRestart = {
  readonly fleet: Fleet;
  readonly places: Places;
  readonly why: string;
  /** Ids of the requests that are the reason: they are not sent again. */
  readonly subjects: readonly string[];
  readonly say: (words: string) => void;
  /** Throws once the wish or the lock is another's. */
  readonly check: () => void;
  readonly signal: AbortSignal;
};

/** All engines: a new epoch, hold, stop, prove empty, start prefill, then decode, admit. Throws where a step fails. */
export async function coRestart({ fleet, places, why, subjects, say, check, signal }: CoRestart): Promise<void> {
  const { engines, saved } = fleet;
  const door = doorsOf(fleet, places).get("router");
  const epoch = await allocateEpoch(places, door, signal);
  say(`co-restart, epoch ${epoch}: ${why}`);
  const names = engines.map(({ name }) => name);
  const start = async (some: readonly WatchedEngine[]): Promise<void> => {
    await Promise.all(
      some.map(async ({ name, engine }) => {
        await startProcess(name, { places, startMs: engine.start ?? saved.config.deadlines.start, check, signal });
      }),
    );
    say(`started: ${some.map(({ name }) => name).join(", ")}`);
  };
  const work = async (): ReturnType<Parameters<typeof whileHeld>[2]> => {
    await Promise.all(
      engines.map(async ({ name, engine }) => await stopProcess(name, { places, stopMs: engine.stop, check, signal })),
    );
    say("all engines have ended, and nobody of them is left");
    await start(engines.filter(({ engine }) => engine.role !== "decode"));
    await start(engines.filter(({ engine }) => engine.role === "decode"));
    return edgesNow(fleet, places, epoch);
  };
  await whileHeld(door, { epoch, engines: names, subjects: [...subjects], why }, work, signal);
  say(`co-restart done, epoch ${epoch}`);
}

// Larger than any that the router or a daemon knows. The next daemon reads it from both files.
async function allocateEpoch(places: Places, door: Door | undefined, signal: AbortSignal): Promise<number> {
  const intent = readIntent(places);
  const routed = door === undefined ? 0 : await epochOf(door, signal);
  const { log, lines } = LineLog.open(places.intents, { bytesMax: intentsBytesMax });
  try {
    const epoch = 1 + Math.max(intent?.epoch ?? 0, routed, ...lines.map(epochIn));
    // Where it has no room the next daemon reads the epoch from the wish.
    log.append(JSON.stringify({ kind: "epoch", epoch }));
    if (intent !== undefined) writeWhole(places.intent, `${JSON.stringify({ ...intent, epoch })}\n`);
    return epoch;
  } finally {
    log.close();
  }
}

// A router that does not answer has no say: its epoch came from one of the files.
async function epochOf(door: Door, signal: AbortSignal): Promise<number> {
  const answer = await asked(async () => await askAdmin(door, "/state", { signal }));
  if (answer.kind === "unanswered") return 0;
  return routerStateSchema.pick({ epoch: true }).safeParse(answer.value).data?.epoch ?? 0;
}

const intentsBytesMax = 1024 * 1024;

function epochIn(line: string): number {
  return Number(/"epoch":(\d+)/.exec(line)?.[1] ?? 0);
}
