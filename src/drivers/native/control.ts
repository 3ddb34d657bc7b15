import { type Failed, failedSchema } from "../../contract/control.ts";
import { type Door, type Failing, tellAdmin } from "../admin.ts";

/** Fails a request, by its id or its room, on an engine; says in words what was released there. Idempotent. */
export async function failEngineRequest(door: Door, id: string, why: string, signal: AbortSignal): Promise<Failing> {
  const path = `/admin/v1/requests/${encodeURIComponent(id)}/fail`;
  const { status, body } = await tellAdmin(door, { path, body: { why }, also: [404] }, signal);
  if (status === 404) return { failed: false, words: "keeps no record of it" };
  const answer = failedSchema.parse(body);
  return { failed: answer.failed, words: releasedWords(answer) };
}

/** The engine takes no new requests. */
export async function drainEngine(door: Door, signal: AbortSignal): Promise<void> {
  await tellAdmin(door, { path: "/admin/v1/drain" }, signal);
}

/** It takes new requests again. */
export async function resumeEngine(door: Door, signal: AbortSignal): Promise<void> {
  await tellAdmin(door, { path: "/admin/v1/resume" }, signal);
}

function releasedWords({ room, failed, ended, stage, pages = 0, pagesHeld = 0 }: Failed): string {
  if (stage === undefined) return `closed room ${room ?? "unknown"}, which no request had`;
  if (!failed) return `had ended already (${stage})${heldWords(pagesHeld)}`;
  const count = (held: number): string => (held === 1 ? "1 page" : `${held} pages`);
  const what = `in ${stage}${room === undefined ? "" : `, room ${room}`}`;
  if (ended === false) return `was told, but has released nothing yet (${what}, ${count(pages)})`;
  return `released ${count(Math.max(0, pages - pagesHeld))} (${what})${heldWords(pagesHeld)}`;
}

// Of a copy that may still write.
function heldWords(pages: number): string {
  return pages === 0 ? "" : `; ${pages} pages are held until no write can come`;
}
