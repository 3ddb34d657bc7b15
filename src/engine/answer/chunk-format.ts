import type { Usage } from "../../contract/openai.ts";
import { sseDone, sseEvent } from "../../lib/sse.ts";
import type { FinishReason } from "./answer-writer.ts";

export type AnswerName = {
  readonly kind: "chat" | "completion";
  readonly id: string;
  readonly model: string;
  readonly createdUnixS: number;
};

/** The events of one stream in OpenAI's shape. All but the text is made once, not once a token. */
export type ChunkFormat = {
  /** What a chat begins with; empty for completions. */
  readonly first: string;
  text(text: string): string;
  end(reason: FinishReason, usage: Usage): string;
};

export function chunkFormat(name: AnswerName, includeUsage: boolean): ChunkFormat {
  const object = name.kind === "chat" ? "chat.completion.chunk" : "text_completion";
  const head = JSON.stringify({ id: name.id, object, created: name.createdUnixS, model: name.model }).slice(0, -1);
  const tail = includeUsage ? ',"usage":null}' : "}";
  const choice = (inner: string, reason: string): string =>
    `${head},"choices":[{"index":0,${inner},"logprobs":null,"finish_reason":${reason}}]${tail}`;
  const [before, after] = aroundText(name.kind, (inner) => sseEvent(choice(inner, "null")));
  return {
    first: name.kind === "chat" ? sseEvent(choice('"delta":{"role":"assistant","content":""}', "null")) : "",
    text: (text) => `${before}${JSON.stringify(text)}${after}`,
    end: (reason, usage) => {
      const last = sseEvent(choice(name.kind === "chat" ? '"delta":{}' : '"text":""', JSON.stringify(reason)));
      const counts = includeUsage ? sseEvent(`${head},"choices":[],"usage":${JSON.stringify(usage)}}`) : "";
      return `${last}${counts}${sseDone}`;
    },
  };
}

// The place of the text is found from the end, where nothing of the model's name can be taken for it.
function aroundText(kind: AnswerName["kind"], event: (inner: string) => string): readonly [string, string] {
  const place = '"@"';
  const whole = event(kind === "chat" ? `"delta":{"content":${place}}` : `"text":${place}`);
  const at = whole.lastIndexOf(place);
  return [whole.slice(0, at), whole.slice(at + place.length)];
}

/** The body of an answer that is not streamed. */
export function wholeBody(name: AnswerName, text: string, reason: FinishReason, usage: Usage): string {
  const chat = name.kind === "chat";
  const content = chat ? { message: { role: "assistant", content: text } } : { text };
  const choices = [{ index: 0, ...content, logprobs: null, finish_reason: reason }];
  const object = chat ? "chat.completion" : "text_completion";
  return JSON.stringify({ id: name.id, object, created: name.createdUnixS, model: name.model, choices, usage });
}
