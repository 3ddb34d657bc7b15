import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "./refusal.ts";

/** A request's body as text. Throws a Refusal for what is not JSON by its header, is packed, or is not UTF-8. */
export function bodyText(headers: IncomingHttpHeaders, body: Uint8Array): string {
  const type = headers["content-type"];
  if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) throw unsupportedType(type);
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    const words = `The body must come as it is, without content-encoding; found ${JSON.stringify(encoding.slice(0, 40))}.`;
    throw new Refusal("unsupported-type", words);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch (error) {
    if (error instanceof TypeError) throw new Refusal("invalid", "The body is not valid UTF-8.");
    throw error;
  }
}

export function unsupportedType(type: string): Refusal {
  const words = `The content-type must be application/json; found ${JSON.stringify(type.slice(0, 80))}.`;
  return new Refusal("unsupported-type", words);
}
