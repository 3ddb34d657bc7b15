import type { AdmitBody, EdgesBody, HoldBody } from "../../contract/router-http.ts";
import { type Door, type Failing, tellAdmin } from "../admin.ts";

/** Gives the router its whole table; an older epoch than its own is refused, and that is an Error. */
export async function putEdges(door: Door, body: EdgesBody, signal: AbortSignal): Promise<void> {
  await tellAdmin(door, { method: "PUT", path: "/admin/v1/edges", body }, signal);
}

/** Makes new requests wait, or renews that for another lease. */
export async function hold(door: Door, body: HoldBody, signal: AbortSignal): Promise<void> {
  await tellAdmin(door, { path: "/admin/v1/hold", body }, signal);
}

/** Ends the hold: what waits is sent. */
export async function admit(door: Door, body: AdmitBody, signal: AbortSignal): Promise<void> {
  await tellAdmin(door, { path: "/admin/v1/admit", body }, signal);
}

/** Ends a request at the router; says in words what came of it. */
export async function failRouterRequest(door: Door, id: string, why: string, signal: AbortSignal): Promise<Failing> {
  const path = `/admin/v1/requests/${encodeURIComponent(id)}/fail`;
  const { status, body } = await tellAdmin(door, { path, body: { why }, also: [404] }, signal);
  if (status === 404) return { failed: false, words: "keeps no record of it" };
  const failed = typeof body === "object" && body !== null && "failed" in body && body.failed === true;
  return { failed, words: failed ? "ended it and told the client" : "had ended it already" };
}
