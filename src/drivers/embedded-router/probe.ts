import { z } from "zod";
import {
  type RouterRequest,
  type RouterState,
  routerRequestSchema,
  routerStateSchema,
} from "../../contract/router-http.ts";
import { askAdmin, type Door } from "../admin.ts";

const requestsSchema = z.object({ requests: z.array(routerRequestSchema) });

/** What the router has open, and its totals. */
export async function routerState(door: Door, signal: AbortSignal): Promise<RouterState> {
  return await askAdmin(door, "/admin/v1/state", routerStateSchema, signal);
}

/** Open and recent requests of the router. */
export async function routerRequests(door: Door, signal: AbortSignal): Promise<readonly RouterRequest[]> {
  return (await askAdmin(door, "/admin/v1/requests", requestsSchema, signal)).requests;
}
