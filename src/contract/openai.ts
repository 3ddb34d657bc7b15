import { z } from "zod";

// A field that is null is a field that was not given: several clients send every field they know.
const shared = {
  model: z.string().nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  seed: z.union([z.int(), z.bigint()], { error: "a whole number" }).nullish(),
  stop: z.union([z.string(), z.array(z.string())], { error: "a string or a list of strings" }).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  ignore_eos: z.boolean().nullish(),
  rid: z.string().nullish(),
  bootstrap_host: z.string().min(1).nullish(),
  bootstrap_port: z.int().min(1).max(65535).nullish(),
  bootstrap_room: z.union([z.int(), z.bigint(), z.string()], { error: "a whole number" }).nullish(),
};

/** POST /v1/completions. What a prompt may be is said by engine/ask: the words of a union help nobody. */
export const completionBodySchema = z.looseObject({ ...shared, prompt: z.unknown().optional() });

/** POST /v1/chat/completions. */
export const chatBodySchema = z.looseObject({
  ...shared,
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown().optional() })).min(1),
});

export type CompletionBody = z.infer<typeof completionBodySchema>;
export type ChatBody = z.infer<typeof chatBodySchema>;

/** The largest body that engines and router read: a context of a million tokens as text. */
export const bodyBytesMax = 8 * 1024 * 1024;

/** Fields that only a router may send to an engine; a client's are refused by engines and removed by the router. */
export const bootstrapFields = ["bootstrap_host", "bootstrap_port", "bootstrap_room"] as const;

/** Headers between router and engines. */
export const headerNames = {
  secret: "x-pdctl-secret",
  commit: "x-pdctl-commit",
  requestId: "x-request-id",
  routerRequestId: "x-pdctl-request-id",
  epoch: "x-pdctl-epoch",
  attempt: "x-pdctl-attempt",
  /** With the secret: P:D, the pair that takes the request, also under a hold or in quarantine. */
  edge: "x-pdctl-edge",
  /** With the secret: 1 keeps the request out of the counts. */
  canary: "x-pdctl-canary",
  /** A trailer: the code of a failure that came after the status had been sent. */
  failure: "x-pdctl-failure",
} as const;

export type Usage = {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
};
