import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { CanaryLine } from "../../contract/observation.ts";
import { headerNames } from "../../contract/openai.ts";
import { asked } from "../../lib/asked.ts";
import { askJson, type HttpAnswer } from "../../lib/http-json.ts";
import { limited } from "../../lib/wait.ts";
import type { Door } from "../admin.ts";

export type CanaryEnd = {
  readonly result: CanaryLine["result"];
  /** How it went, for people. */
  readonly words: string;
  /** The token that came: the same prompt has the same answer on every edge of a model. */
  readonly text?: string;
};

export type CanaryAsk = {
  /** Which pair it takes, whether or not that is given requests; the router's choice where it is absent. */
  readonly edge?: { readonly prefill: string; readonly decode: string } | undefined;
  readonly limitMs: number;
};

/** Sends one small request all the way: router, prefill, transfer, decode. Ends with its limit, on every leg. */
export async function sendCanary(door: Door, { edge, limitMs }: CanaryAsk, signal: AbortSignal): Promise<CanaryEnd> {
  const limit = limited(limitMs, signal);
  const answer = await asked(
    async () =>
      await askJson(
        { url: `${door.url}/v1/completions` },
        {
          headers: {
            [headerNames.requestId]: `canary-${randomBytes(8).toString("hex")}`,
            [headerNames.secret]: door.secret,
            [headerNames.canary]: "1",
            ...(edge === undefined ? {} : { [headerNames.edge]: `${edge.prefill}:${edge.decode}` }),
          },
          body: { prompt: "The capital of France is", max_tokens: 1, temperature: 0 },
          signal: limit,
        },
      ),
  );
  signal.throwIfAborted();
  switch (answer.kind) {
    case "answered":
      return endOf(answer.value);
    case "unanswered":
      // No answer at all says nothing about what an answer would have been.
      return { result: "timeout", words: limit.aborted ? `no answer in ${limitMs / 1_000} s` : answer.why };
  }
}

const completionSchema = z.looseObject({ choices: z.array(z.looseObject({ text: z.string() })).min(1) });

function endOf({ status, body }: HttpAnswer): CanaryEnd {
  if (status !== 200) {
    // Nothing is wrong with an edge that has no room for one more, or that the router does not have yet.
    const result = [404, 429, 503].includes(status) ? "busy" : "timeout";
    return { result, words: `it was answered ${status} ${JSON.stringify(body)?.slice(0, 500)}` };
  }
  const parsed = completionSchema.safeParse(body);
  const text = parsed.data?.choices[0]?.text;
  if (text === undefined) return { result: "wrong", words: "the answer is no completion" };
  return { result: "ok", words: "it came back", text };
}
