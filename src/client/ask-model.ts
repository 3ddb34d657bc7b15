import { text } from "node:stream/consumers";
import { z } from "zod";
import { PdctlError } from "../contract/errors.ts";
import { headerNames } from "../contract/openai.ts";
import { send } from "../lib/http-json.ts";
import { sseData } from "../lib/sse-reader.ts";

export type Message = { readonly role: "system" | "user" | "assistant"; readonly content: string };

export type ModelAsk = {
  readonly url: string;
  readonly messages: readonly Message[];
  readonly tokensMax: number;
  readonly temperature: number;
  /** By which the request can be inspected later. */
  readonly requestId: string;
  readonly signal: AbortSignal;
};

const chunkSchema = z.looseObject({
  choices: z.array(z.looseObject({ delta: z.looseObject({ content: z.string().nullish() }) })).default([]),
});
const errorSchema = z.looseObject({ error: z.looseObject({ message: z.string(), code: z.string().nullish() }) });

/** Asks through the router and yields the pieces of the answer as they come. */
export async function* askModel({
  url,
  messages,
  tokensMax,
  temperature,
  requestId,
  signal,
}: ModelAsk): AsyncGenerator<string> {
  const response = await send(
    { url: `${url}/v1/chat/completions` },
    {
      headers: { [headerNames.requestId]: requestId },
      body: { messages, max_tokens: tokensMax, temperature, stream: true },
      signal,
    },
  );
  if (response.statusCode !== 200) throw failed(await text(response), requestId, response.statusCode);
  for await (const data of sseData(response)) {
    if (data === "[DONE]") return;
    const chunk: unknown = JSON.parse(data);
    if (errorSchema.safeParse(chunk).success) throw failed(data, requestId);
    const piece = chunkSchema.parse(chunk).choices[0]?.delta.content;
    if (piece) yield piece;
  }
  throw new PdctlError(
    "answer-failed",
    "The answer broke off before its end.",
    `pdctl inspect req ${requestId} shows where`,
  );
}

function failed(body: string, requestId: string, status?: number): PdctlError {
  const parsed = errorSchema.safeParse(jsonOf(body));
  const words = parsed.success ? parsed.data.error.message : body.slice(0, 200);
  const isRefused = status !== undefined && status >= 400 && status < 500;
  // What is refused at the door has never been a request.
  if (isRefused)
    return new PdctlError("answer-failed", `The prompt is refused (status ${status}): ${words}`, "another prompt");
  const told = status === undefined ? "The answer broke off" : `There is no answer (status ${status})`;
  return new PdctlError(
    "answer-failed",
    `${told}: ${words}`,
    `pdctl inspect req ${requestId} shows where the request ended`,
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
