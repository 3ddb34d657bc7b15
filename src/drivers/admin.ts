import { z } from "zod";
import { askJson, type HttpAnswer } from "../lib/http-json.ts";

/** Where an engine's or the router's control routes are, and what opens them. */
export type Door = { readonly url: string; readonly secret: string };

/** What a process has done to a request that it was told to fail: `failed` where the request had not ended before. */
export type Failing = { readonly failed: boolean; readonly words: string };

/** GETs a control route and reads the answer by its schema. */
export async function askAdmin<T>(door: Door, path: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
  const { status, body } = await askJson({ url: door.url + path }, { headers: headersOf(door), signal });
  if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new Error(`GET ${path}: ${parsed.error.issues[0]?.message ?? "not what was expected"}`);
  return parsed.data;
}

/** Sends to a control route. Throws an Error that tells what it answered, unless that is 200 or one of `also`. */
export async function tellAdmin(
  door: Door,
  { method = "POST", path, body, also = [] }: Tell,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const answer = await askJson({ url: door.url + path }, { method, headers: headersOf(door), body, signal });
  if (answer.status === 200 || also.includes(answer.status)) return answer;
  const told = errorSchema.safeParse(answer.body);
  const words = told.success ? `: ${told.data.error.message}` : "";
  throw new Error(`${method} ${path} answered ${answer.status}${words}`);
}

export type Tell = {
  readonly method?: "POST" | "PUT";
  readonly path: string;
  readonly body?: unknown;
  readonly also?: readonly number[];
};

const errorSchema = z.object({ error: z.object({ message: z.string() }) });

function headersOf({ secret }: Door): Record<string, string> {
  return { "x-pdctl-secret": secret };
}
