import type { Failure } from "../../contract/failure-status.ts";
import type { Usage } from "../../contract/openai.ts";

export type FinishReason = "stop" | "length";

/** How one answer reaches its client. The last call is finished or failed. */
export type AnswerWriter = {
  /** Decode only: from here on the answer no longer depends on the prefill engine. */
  committed(): void;
  text(text: string): void;
  finished(reason: FinishReason, usage: Usage): void;
  failed(failure: Failure): void;
  /** Bytes that the client has not read yet. */
  unreadBytes(): number;
};

export function usageOf(promptTokens: number, outputTokens: number): Usage {
  return { prompt_tokens: promptTokens, completion_tokens: outputTokens, total_tokens: promptTokens + outputTokens };
}
