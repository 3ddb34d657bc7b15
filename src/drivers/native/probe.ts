import { z } from "zod";
import {
  type EngineState,
  engineStateSchema,
  type RequestRecord,
  requestRecordSchema,
} from "../../contract/engine-http.ts";
import { askAdmin, type Door } from "../admin.ts";
import { type EngineSeen, seenOf } from "./seen.ts";

const recordsSchema = z.object({ requests: z.array(requestRecordSchema) });

/** Live and recent requests of the engine, newest first. */
export async function engineRecords(door: Door, signal: AbortSignal): Promise<readonly RequestRecord[]> {
  return (await askAdmin(door, "/admin/v1/requests", recordsSchema, signal)).requests;
}

/** How the engine is and what it holds. Free for it: both answers come from the loop's last snapshot. */
export async function probeNative(door: Door, signal: AbortSignal): Promise<EngineSeen> {
  const state = await askAdmin(door, "/admin/v1/state", engineStateSchema, signal);
  return seenOf(state, await liveRequests(door, state, signal));
}

const liveSchema = z.object({ requests: z.array(requestRecordSchema.omit({ timeline: true, deadline: true })) });

// At rest there is nothing to list, and a fleet is at rest most of the time.
async function liveRequests(
  door: Door,
  { queues }: EngineState,
  signal: AbortSignal,
): Promise<readonly z.infer<typeof liveSchema>["requests"][number][]> {
  if (Object.values(queues).every((count) => count === 0)) return [];
  const { requests } = await askAdmin(door, "/admin/v1/requests?live=true", liveSchema, signal);
  return requests.filter(({ live }) => live);
}
