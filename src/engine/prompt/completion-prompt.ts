import { invalid, Refusal } from "../../lib/refusal.ts";
import { type Tokenizer, textTokens } from "./prompt-tokens.ts";

/** The prompt of /v1/completions: a text, or the ids of tokens. Lists of prompts are refused: one answer a request. */
export function completionTokens(
  native: Tokenizer & { readonly model: { readonly vocab: number } },
  prompt: unknown,
): Int32Array {
  const tokens = tokensOf(native, prompt);
  if (tokens.length === 0) throw invalid("prompt", "prompt is empty: at least one token is needed.");
  return tokens;
}

function tokensOf(native: Tokenizer & { readonly model: { readonly vocab: number } }, prompt: unknown): Int32Array {
  if (typeof prompt === "string") return textTokens(native, prompt);
  if (!Array.isArray(prompt)) throw invalid("prompt", "prompt must be a string or a list of token ids.");
  const [only] = prompt as readonly unknown[];
  if (prompt.length === 1 && typeof only === "string") return textTokens(native, only);
  checkCount(prompt.length, native.model.contextMax);
  return Int32Array.from(prompt, (token: unknown, index) => tokenId(token, index, native.model.vocab));
}

// Before any id is looked at: a body holds millions of them, and all other requests would wait.
function checkCount(tokens: number, contextMax: number): void {
  if (tokens <= contextMax) return;
  const words = `The prompt has ${tokens} tokens, which cannot fit into the context of ${contextMax} tokens.`;
  throw new Refusal("too-long", words, "prompt");
}

function tokenId(token: unknown, index: number, vocab: number): number {
  if (typeof token === "number" && Number.isInteger(token) && token >= 0 && token < vocab) return token;
  const found = typeof token === "number" || typeof token === "bigint" ? String(token) : typeof token;
  throw invalid("prompt", `prompt[${index}] must be a token id from 0 to ${vocab - 1}, in one list; found ${found}.`);
}
