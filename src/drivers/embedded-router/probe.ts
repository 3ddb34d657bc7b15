import { z } from "zod";
import {
  type RouterRequest,
  type RouterState,
  routerRequestSchema,
  routerStateSchema,
} from "../../contract/router-http.ts";
import { askAdmin, type Door } from "../admin.ts";
import { type RouterSeen, seenOf } from "./seen.ts";

const requestsSchema = z.object({ requests: z.array(routerRequestSchema) });

/** What the router has open, and its totals. */
export async function routerState(door: Door, signal: AbortSignal): Promise<RouterState> {
  return await askAdmin(door, "/admin/v1/state", routerStateSchema, signal);
}

/** Open and recent requests of the router. */
export async function routerRequests(door: Door, signal: AbortSignal): Promise<readonly RouterRequest[]> {
  return (await askAdmin(door, "/admin/v1/requests", requestsSchema, signal)).requests;
}

/** What the router has open, and how often each edge was tried. */
export async function probeRouter(door: Door, signal: AbortSignal): Promise<RouterSeen> {
  const state = await routerState(door, signal);
  if (state.open === 0 && state.hold === undefined) return seenOf(state, []);
  const { requests } = await askAdmin(door, "/admin/v1/requests?live=true", requestsSchema, signal);
  return seenOf(
    state,
    requests.filter(({ outcome }) => outcome === "open"),
  );
}
