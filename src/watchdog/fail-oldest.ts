import { z } from "zod";
import { asked } from "../lib/asked.ts";
import type { Places } from "../lib/places.ts";
import { askAdmin, type Door } from "./ask-admin.ts";
import { type Fleet, readyOf } from "./fleet.ts";
import { liveOn } from "./look.ts";
import type { Oldest } from "./sight.ts";

/** Fails the request on the router and every engine; says what each answered. Where it has no name, all of its engine. */
export async function failOldest(
  oldest: Oldest,
  { fleet, places, why, signal }: { fleet: Fleet; places: Places; why: string; signal: AbortSignal },
): Promise<readonly string[]> {
  const doors = doorsOf(fleet, places);
  const ids = oldest.id === undefined ? await idsOn(doors.get(oldest.engine), signal) : [oldest.id];
  const told = ids.flatMap((id) =>
    [...doors].map(async ([name, door]) => `${name}: ${await failOn(door, { id, why, signal })}`),
  );
  return await Promise.all(told);
}

/** Of the router and each engine that is ready. */
export function doorsOf(fleet: Fleet, places: Places): ReadonlyMap<string, Door> {
  const names = ["router", ...fleet.engines.map(({ name }) => name)];
  const attached = new Map(fleet.engines.map(({ name, engine }) => [name, engine.url]));
  return new Map(
    names.flatMap((name): [string, Door][] => {
      const url = attached.get(name) ?? readyOf(places, name)?.url;
      return url === undefined ? [] : [[name, { url, secret: fleet.secret }]];
    }),
  );
}

// It cannot be named, and nothing there makes progress: all that is open goes.
async function idsOn(door: Door | undefined, signal: AbortSignal): Promise<readonly string[]> {
  if (door === undefined) return [];
  const answer = await asked(async () => await liveOn(door, signal));
  return answer.kind === "answered" ? answer.value.map(({ id }) => id) : [];
}

async function failOn(
  door: Door,
  { id, why, signal }: { id: string; why: string; signal: AbortSignal },
): Promise<string> {
  const path = `/requests/${encodeURIComponent(id)}/fail`;
  const answer = await asked(async () => await askAdmin(door, path, { method: "POST", body: { why }, signal }));
  return answer.kind === "answered" ? wordsOf(answer.value) : answer.why;
}

// What was released there, as the process itself says: failed true, stage transfer, pages 3.
function wordsOf(answer: unknown): string {
  const fields = Object.entries(z.record(z.string(), z.unknown()).catch({}).parse(answer));
  const told = fields.filter(([key]) => key !== "id").map(([key, value]) => `${key} ${String(value)}`);
  return told.join(", ");
}
