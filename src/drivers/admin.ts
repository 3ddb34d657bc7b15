import type { z } from "zod";
import { askJson } from "../lib/http-json.ts";

/** Where an engine's or the router's control routes are, and what opens them. */
export type Door = { readonly url: string; readonly secret: string };

/** GETs a control route and reads the answer by its schema. */
export async function askAdmin<T>(door: Door, path: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
  const { status, body } = await askJson({ url: door.url + path }, { headers: headersOf(door), signal });
  if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new Error(`GET ${path}: ${parsed.error.issues[0]?.message ?? "not what was expected"}`);
  return parsed.data;
}

function headersOf({ secret }: Door): Record<string, string> {
  return { "x-pdctl-secret": secret };
}
