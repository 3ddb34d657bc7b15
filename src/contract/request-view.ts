import { z } from "zod";
import { failureSchema, requestRecordSchema } from "./engine-http.ts";
import { routerRequestSchema } from "./router-http.ts";
import { causeSchema, verdictNameSchema, verdictSchema } from "./verdict.ts";

/** Stages as people see them. `unknown`: no process that knows the request answered. */
export const shownStageSchema = z.enum([
  "bootstrap",
  "queue",
  "prefill",
  "transfer",
  "decode",
  "finished",
  "failed",
  "unknown",
]);

/** One stage of a request's life. `atMs` counts from its arrival; without `durationMs` it still goes on. */
export const spanSchema = z.object({
  stage: z.enum(["bootstrap", "queue", "prefill", "transfer", "decode"]),
  atMs: z.number(),
  durationMs: z.number().optional(),
  /** Transfer only: how long rows already moved while prefill still ran. */
  overlapMs: z.number().optional(),
});

/** One request, put together from the router, prefill and decode. A field that is absent is unknown. */
export const requestViewSchema = z.object({
  id: z.string(),
  clientId: z.string().optional(),
  room: z.string().optional(),
  stage: shownStageSchema,
  live: z.boolean(),
  arrived: z.string(),
  ageMs: z.number(),
  stageAgeMs: z.number().optional(),
  prefill: z.string().optional(),
  decode: z.string().optional(),
  attempt: z.number().optional(),
  promptTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  bytesDone: z.number().optional(),
  bytesTotal: z.number().optional(),
  /** The deadline that fires next. */
  deadline: z.object({ name: z.string(), engine: z.string(), inMs: z.number() }).optional(),
  failure: failureSchema.optional(),
  /** What the detector says of it, where it says anything. */
  verdict: verdictNameSchema.optional(),
  cause: causeSchema.optional(),
  spans: z.array(spanSchema),
});

/** GET /v1/requests. `unanswered` names the processes that did not answer: their requests may be missing. */
export const requestListSchema = z.object({
  requests: z.array(requestViewSchema),
  unanswered: z.array(z.string()),
});

/** GET /v1/requests/{id}: the view and the records it was made from. */
export const requestDetailSchema = z.object({
  request: requestViewSchema,
  router: routerRequestSchema.optional(),
  legs: z.array(z.object({ engine: z.string(), record: requestRecordSchema })),
  unanswered: z.array(z.string()),
  /** What is said of it, of its edge and of its engines: only what is not ok, idle or busy. */
  verdicts: z.array(verdictSchema).optional(),
});

export type ShownStage = z.infer<typeof shownStageSchema>;
export type Span = z.infer<typeof spanSchema>;
export type RequestView = z.infer<typeof requestViewSchema>;
export type RequestList = z.infer<typeof requestListSchema>;
export type RequestDetail = z.infer<typeof requestDetailSchema>;
