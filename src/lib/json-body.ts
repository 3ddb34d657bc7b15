import { type Json, parseExactJson } from "./exact-json.ts";
import { Refusal } from "./refusal.ts";

/** The JSON of a request's body, which textApp hands over as text; nothing at all when there was no body. */
export function jsonBody(body: unknown): Json {
  const parsed = parseExactJson(typeof body === "string" ? body : "");
  if (parsed.kind === "json") return parsed.value;
  throw new Refusal("invalid", `The body is not valid JSON: ${parsed.words}.`);
}
