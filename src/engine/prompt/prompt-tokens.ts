import { Refusal } from "../../lib/refusal.ts";
import type { NativeEngine } from "../native.ts";
import type { PromptPart } from "./sentinels.ts";

export type Tokenizer = Pick<NativeEngine, "tokenize"> & {
  readonly model: Pick<NativeEngine["model"], "bosText" | "contextMax">;
};

/** A chat: control tokens only from the template, and the token of the beginning once. */
export function chatTokens(native: Tokenizer, parts: readonly PromptPart[]): Int32Array {
  checkLength(native, parts);
  const pieces = parts.map((part) => native.tokenize(part.text, part.from === "template"));
  return withBegin(native, joined(pieces));
}

/** A plain prompt: nothing in it is a control token. */
export function textTokens(native: Tokenizer, text: string): Int32Array {
  checkLength(native, [{ text, from: "message" }]);
  return withBegin(native, native.tokenize(text, false));
}

// Tokenising holds up every other request, so what is sure not to fit is not even tried. No vocabulary that is known
// has longer tokens than this: runs of blanks.
const charactersPerTokenMax = 128;
// Ordinary text has about 4 characters a token: more than this is tried in part first.
const charactersPerTokenUsual = 8;

function checkLength(native: Tokenizer, parts: readonly PromptPart[]): void {
  const { contextMax } = native.model;
  const characters = parts.reduce((length, part) => length + part.text.length, 0);
  if (characters <= contextMax * charactersPerTokenUsual) return;
  if (characters <= contextMax * charactersPerTokenMax && beginningFits(native, parts)) return;
  const words = `The prompt has ${characters} characters, which cannot fit into the context of ${contextMax} tokens.`;
  throw new Refusal("too-long", words);
}

// Where the text is cut some tokens come out differently: a quarter more than the context leaves that room.
function beginningFits(native: Tokenizer, parts: readonly PromptPart[]): boolean {
  const { contextMax } = native.model;
  const text = parts.map((part) => part.text).join("");
  const beginning = text.slice(0, contextMax * charactersPerTokenUsual);
  return native.tokenize(beginning, false).length <= contextMax * 1.25;
}

function withBegin(native: Tokenizer, tokens: Int32Array): Int32Array {
  if (native.model.bosText === "") return tokens;
  const begin = native.tokenize(native.model.bosText, true);
  const begins = begin.every((token, at) => tokens[at] === token);
  return begins ? tokens : joined([begin, tokens]);
}

function joined(pieces: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
