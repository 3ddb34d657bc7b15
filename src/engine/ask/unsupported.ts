import { type Json, type JsonObject, writeExactJson } from "../../lib/exact-json.ts";
import { invalid } from "../../lib/refusal.ts";

// What each field may be without changing the answer: clients send such values although they want nothing of it.
const neutral: Readonly<Record<string, readonly unknown[]>> = {
  n: [1],
  best_of: [1],
  top_p: [1],
  top_k: [-1, 0],
  min_p: [0],
  typical_p: [1],
  presence_penalty: [0],
  frequency_penalty: [0],
  repetition_penalty: [1],
  min_tokens: [0],
  logprobs: [false, 0],
  top_logprobs: [0],
  echo: [false],
  suffix: [""],
  logit_bias: [],
  stop_token_ids: [],
  tools: [],
  tool_choice: ["none", "auto"],
  functions: [],
  function_call: ["none", "auto"],
  response_format: [{ type: "text" }],
  modalities: [["text"]],
  audio: [],
  prediction: [],
  chat_template: [],
  chat_template_kwargs: [],
  continue_final_message: [false],
  add_generation_prompt: [true],
  regex: [],
  json_schema: [],
  ebnf: [],
  guided_json: [],
  guided_regex: [],
  guided_grammar: [],
  lora_path: [],
};

/** Refuses a field that would change the answer but cannot be followed; fields that nobody knows are ignored. */
export function refuseUnsupported(body: JsonObject): void {
  for (const [field, value] of Object.entries(body)) {
    const values = Object.hasOwn(neutral, field) ? neutral[field] : undefined;
    if (values === undefined || isAbsent(value)) continue;
    const text = written(value);
    if (values.some((allowed) => JSON.stringify(allowed) === text)) continue;
    throw invalid(field, `${field} is not supported${advice(values)}; found ${text.slice(0, 60)}.`);
  }
}

function isAbsent(value: Json | undefined): boolean {
  if (typeof value !== "object" || value === null) return value === null || value === undefined;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

function written(value: Json): string {
  try {
    return writeExactJson(value);
  } catch (error) {
    if (error instanceof RangeError) return "something nested too deeply";
    throw error;
  }
}

function advice(values: readonly unknown[]): string {
  if (values.length === 0) return ": leave it out";
  return `: leave it out, or send ${values.map((value) => JSON.stringify(value)).join(" or ")}`;
}
