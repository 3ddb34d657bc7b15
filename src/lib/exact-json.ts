import { randomBytes } from "node:crypto";
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
    return { kind: "json", value: longDigits.test(text) ? readExact(text) : (JSON.parse(text) as Json) };
  } catch (error) {
    if (error instanceof RangeError) return { kind: "wrong", words: "it is nested too deeply" };
    return { kind: "wrong", words: jsonFault(text) };
  }
}

/** Writes what parseExactJson read, digit for digit. Throws a RangeError for what is nested too deeply. */
export function writeExactJson(value: Json): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null || !holdsBigint(value)) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(writeExactJson).join(",")}]`;
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${writeExactJson(item)}`);
  return `{${members.join(",")}}`;
}

// 2^53 has 16 digits: a text without such a run needs no second look, and most have none.
const longDigits = /\d{16}/;

/**
 * The long numbers are read as marked strings and put back after it. A reviver would be simpler, but it is called for
 * each of a million token ids and takes seconds.
 */
function readExact(text: string): Json {
  const mark = `exact-${randomBytes(12).toString("hex")}-`;
  const marked = markLongNumbers(text, mark);
  const value = JSON.parse(marked) as Json;
  return marked === text ? value : unmarked(value, mark);
}

function markLongNumbers(text: string, mark: string): string {
  const parts: string[] = [];
  const stringOrLong = /"|-?[1-9]\d{15,}/g;
  let from = 0;
  for (let found = stringOrLong.exec(text); found !== null; found = stringOrLong.exec(text)) {
    const [token] = found;
    const end = found.index + token.length;
    if (token === '"') {
      stringOrLong.lastIndex = afterString(text, end);
    } else if (token.length <= digitsMax && stands(text, found.index, end) && !Number.isSafeInteger(Number(token))) {
      parts.push(text.slice(from, found.index), `"${mark}${token}"`);
      from = end;
    }
  }
  return parts.join("") + text.slice(from);
}

// To read a number of millions of digits takes seconds. Nothing here has more than 20; beyond this a double must do.
const digitsMax = 1024;

function afterString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charAt(before - 1) === "\\") before -= 1;
    if ((at - before) % 2 === 0) return at + 1;
  }
  return text.length;
}

/** Whether it is a whole number by itself, and not a part of a fraction or of something that is no JSON. */
function stands(text: string, from: number, end: number): boolean {
  return " \t\n\r[,:".includes(text.charAt(from - 1)) && " \t\n\r],}".includes(text.charAt(end));
}

function unmarked(value: Json, mark: string): Json {
  if (typeof value === "string") return value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value;
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map((item) => unmarked(item, mark));
  const members = Object.entries(value);
  if (members.some(([key]) => key.startsWith(mark))) throw new SyntaxError("a number stands where a name should");
  return Object.fromEntries(members.map(([key, item]) => [key, unmarked(item, mark)]));
}

function holdsBigint(value: Json): boolean {
  if (typeof value === "bigint") return true;
  if (typeof value !== "object" || value === null) return false;
  return isList(value) ? value.some(holdsBigint) : Object.values(value).some(holdsBigint);
}

// Array.isArray does not see lists that are readonly.
function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}
