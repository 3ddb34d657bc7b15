import type { Json, JsonObject } from "../../lib/exact-json.ts";
import { invalid, Refusal } from "../../lib/refusal.ts";
import { type FieldIssue, fieldOf, wordsOfIssue } from "./field-issue.ts";

const stopsMax = 16;

/** The fields of a body, once no list in it is so long that looking at each entry would hold up everybody else. */
export function fieldsOf(body: Json, contextMax: number): JsonObject {
  if (typeof body !== "object" || body === null || isList(body)) throw invalid("", "The body must be a JSON object.");
  const stops = lengthOf(body["stop"]);
  if (stops > stopsMax) throw invalid("stop", `stop has ${stops} strings; at most ${stopsMax} are looked for.`);
  const messages = lengthOf(body["messages"]);
  if (messages <= contextMax) return body;
  const words = `There are ${messages} messages, which cannot fit into the context of ${contextMax} tokens.`;
  throw new Refusal("too-long", words, "messages");
}

type Schema<T> = {
  safeParse(
    body: unknown,
    options: { readonly reportInput: true },
  ): { success: true; data: T } | { success: false; error: { issues: readonly FieldIssue[] } };
};

/** What a schema makes of the fields. Throws a Refusal that names the first that is wrong. */
export function parsed<T>(schema: Schema<T>, fields: JsonObject): T {
  const result = schema.safeParse(fields, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue === undefined) throw invalid("", "The body is not valid.");
  throw invalid(fieldOf(issue), wordsOfIssue(issue));
}

function lengthOf(value: Json | undefined): number {
  return Array.isArray(value) ? value.length : 0;
}

// Array.isArray does not see lists that are readonly.
function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}
