import { jsonFault } from "./json-fault.ts";

/** JSON in which an integer that a double cannot hold is a bigint. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export type ParsedJson =
  | { readonly kind: "json"; readonly value: Json }
  | { readonly kind: "wrong"; readonly words: string };

/** Reads JSON without ever passing a whole number through a double: rooms and seeds have up to 64 bits. */
export function parseExactJson(text: string): ParsedJson {
  try {
    return { kind: "json", value: longDigits.test(text) ? reviveExact(text) : (JSON.parse(text) as Json) };
  } catch (error) {
    if (error instanceof RangeError) return { kind: "wrong", words: "it is nested too deeply" };
    return { kind: "wrong", words: jsonFault(text) };
  }
}

/** Writes what parseExactJson read, digit for digit. Throws a RangeError for what is nested too deeply. */
export function writeExactJson(value: Json): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? raw(item) : item));
}

// 2^53 has 16 digits: a text without such a run needs no second look, and most have none.
const longDigits = /\d{16}/;
const wholeNumber = /^-?\d+$/;

type Reviver = (key: string, value: Json, context?: { readonly source?: string }) => Json;

function reviveExact(text: string): Json {
  const exact: Reviver = (_key, value, context) => {
    if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
    const source = context?.source ?? "";
    return wholeNumber.test(source) ? BigInt(source) : value;
  };
  // The type library does not know the third argument yet; Node has had it since 22.
  return JSON.parse(text, exact as (key: string, value: unknown) => unknown) as Json;
}

// The same goes for rawJSON.
function raw(item: bigint): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(item));
}
