import { z } from "zod";
import {
  type EngineState,
  engineStateSchema,
  type RequestRecord,
  requestRecordSchema,
} from "../../contract/engine-http.ts";
import { askJson } from "../../lib/http-json.ts";
import { askAdmin, type Door, tellAdmin } from "../admin.ts";

const recordsSchema = z.object({ requests: z.array(requestRecordSchema) });

/** Whether the engine serves. */
export async function isHealthy(url: string, signal: AbortSignal): Promise<boolean> {
  return (await askJson({ url: `${url}/health` }, { signal })).status === 200;
}

/** The engine's queues, pages and totals, from its latest snapshot. */
export async function engineState(door: Door, signal: AbortSignal): Promise<EngineState> {
  return await askAdmin(door, "/admin/v1/state", engineStateSchema, signal);
}

/** Live and recent requests of the engine, newest first. */
export async function engineRecords(door: Door, signal: AbortSignal): Promise<readonly RequestRecord[]> {
  return (await askAdmin(door, "/admin/v1/requests", recordsSchema, signal)).requests;
}

/** Makes the engine refuse new requests; those it has go on. */
export async function drainEngine(door: Door, signal: AbortSignal): Promise<void> {
  await tellAdmin(door, "/admin/v1/drain", undefined, signal);
}
