import { z } from "zod";
import { engineStateSchema, requestRecordSchema } from "../contract/engine-http.ts";
import { asked } from "../lib/asked.ts";
import type { Places } from "../lib/places.ts";
import { askAdmin, type Door } from "./ask-admin.ts";
import { type Fleet, readyOf } from "./fleet.ts";
import type { EngineLook, Oldest } from "./sight.ts";

// The watchdog's own eyes, a page for native engines: no code of the daemon's, which may be what is wrong.
const stateSchema = engineStateSchema.pick({ incarnation: true, inflightOldestMs: true, totals: true });
const listSchema = z.object({
  requests: z.array(
    requestRecordSchema.pick({ id: true, room: true, stage: true, stageAgeMs: true, bytesDone: true, live: true }),
  ),
});

/** One look at every engine, side by side; each has a limit of its own. */
export async function lookAtAll(fleet: Fleet, places: Places, signal: AbortSignal): Promise<readonly EngineLook[]> {
  return await Promise.all(
    fleet.engines.map(async ({ name, engine }): Promise<EngineLook> => {
      const url = engine.url ?? readyOf(places, name)?.url;
      if (url === undefined) return { kind: "silent", name, why: "it is not ready" };
      const answer = await asked(async () => await look({ url, secret: fleet.secret }, name, signal));
      return answer.kind === "answered" ? answer.value : { kind: "silent", name, why: answer.why };
    }),
  );
}

async function look(door: Door, name: string, signal: AbortSignal): Promise<EngineLook> {
  const { incarnation, inflightOldestMs, totals } = stateSchema.parse(await askAdmin(door, "/state", { signal }));
  const { finished, promptTokens, generatedTokens, transfersCompleted, transferBytes } = totals;
  const counters = [incarnation, finished, promptTokens, generatedTokens, transfersCompleted];
  // At rest there is nothing to list, and a fleet is at rest most of the time.
  if (inflightOldestMs === undefined) return { kind: "answered", name, counters: [...counters, transferBytes].join() };
  const live = await liveOn(door, signal);
  const bytes = live.reduce((sum, { bytesDone }) => sum + bytesDone, transferBytes);
  const [first] = live.filter(({ stage }) => stage === "inflight").toSorted((a, b) => b.stageAgeMs - a.stageAgeMs);
  const named = first === undefined ? {} : { id: first.id, ...(first.room === undefined ? {} : { room: first.room }) };
  const oldest: Oldest = { engine: name, ageMs: first?.stageAgeMs ?? inflightOldestMs, ...named };
  return { kind: "answered", name, counters: [...counters, bytes].join(), oldest };
}

/** What the engine or the router has open. */
export async function liveOn(door: Door, signal: AbortSignal): Promise<z.infer<typeof listSchema>["requests"]> {
  const { requests } = listSchema.parse(await askAdmin(door, "/requests?live=true", { signal }));
  return requests.filter(({ live }) => live);
}
