import { type Json, parseExactJson } from "./exact-json.ts";
import { Refusal } from "./refusal.ts";

/** The JSON of a request's body, which textApp hands over as text; nothing at all when there was no body. */
export function jsonBody(body: unknown): Json {
  const parsed = parseExactJson(typeof body === "string" ? body : "");
  if (parsed.kind === "wrong") throw new Refusal("invalid", `The body is not valid JSON: ${parsed.words}.`);
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const fields = Object.keys(value).length;
  if (fields <= fieldsMax) return value;
  throw new Refusal("invalid", `The body has ${fields} fields; at most ${fieldsMax} are read.`);
}

// Each field is looked at several times; no API has nearly as many.
const fieldsMax = 1024;
