import { z } from "zod";
import { type RequestRecord, requestRecordSchema } from "../../contract/engine-http.ts";
import { askJson } from "../../lib/http-json.ts";
import { askAdmin, type Door } from "../admin.ts";

const recordsSchema = z.object({ requests: z.array(requestRecordSchema) });

/** Whether the engine serves. */
export async function isHealthy(url: string, signal: AbortSignal): Promise<boolean> {
  return (await askJson({ url: `${url}/health` }, { signal })).status === 200;
}

/** Live and recent requests of the engine, newest first. */
export async function engineRecords(door: Door, signal: AbortSignal): Promise<readonly RequestRecord[]> {
  return (await askAdmin(door, "/admin/v1/requests", recordsSchema, signal)).requests;
}
