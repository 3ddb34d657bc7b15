import { z } from "zod";

/** The engine's own words for where a request is; `finished` and `failed` are terminal. */
export const stageSchema = z.enum([
  "bootstrap",
  "prealloc",
  "waiting",
  "running",
  "inflight",
  "transfer",
  "finished",
  "failed",
]);

export const failureSchema = z.object({ code: z.string(), words: z.string() });

/** One request on one engine, live or from the flight record. Times: milliseconds; `*UnixMs`: wall clock. */
export const requestRecordSchema = z.object({
  id: z.string(),
  /** 63 bits as digits; absent for role both. */
  room: z.string().optional(),
  stage: stageSchema,
  state: z.enum(["Failed", "Bootstrapping", "WaitingForInput", "Transferring", "Success"]).optional(),
  arrivedUnixMs: z.number(),
  ageMs: z.number(),
  stageAgeMs: z.number(),
  promptTokens: z.number(),
  tokensMax: z.number(),
  rowsComputed: z.number(),
  outputTokens: z.number(),
  bytesDone: z.number(),
  bytesTotal: z.number(),
  peer: z.string().optional(),
  deadline: z.object({ name: z.enum(["bootstrap", "waiting", "inflight", "queue"]), inMs: z.number() }).optional(),
  timeline: z.array(z.object({ stage: stageSchema, beganUnixMs: z.number(), endedUnixMs: z.number().optional() })),
  firstTokenUnixMs: z.number().optional(),
  prefillBeganUnixMs: z.number().optional(),
  prefillEndedUnixMs: z.number().optional(),
  transferBeganUnixMs: z.number().optional(),
  transferEndedUnixMs: z.number().optional(),
  failure: failureSchema.optional(),
  live: z.boolean(),
  pages: z.number(),
  pagesHeld: z.number(),
});

/** GET /admin/v1/state of a native engine: the loop's latest snapshot, answered without waiting for it. */
export const engineStateSchema = z.object({
  role: z.enum(["prefill", "decode", "both"]),
  /** 64 bits in hex. */
  incarnation: z.string(),
  loopAgeMs: z.number(),
  steps: z.number(),
  queues: z.object({
    bootstrap: z.number(),
    waiting: z.number(),
    running: z.number(),
    inflight: z.number(),
    prealloc: z.number(),
    transfer: z.number(),
  }),
  /** Absent while nothing is inflight. */
  inflightOldestMs: z.number().optional(),
  pages: z.object({ total: z.number(), free: z.number(), live: z.number(), held: z.number() }),
  totals: z.object({
    requests: z.number(),
    finished: z.number(),
    failed: z.number(),
    aborted: z.number(),
    bootstrapFailed: z.number(),
    transferFailed: z.number(),
    transfersCompleted: z.number(),
    transferBytes: z.number(),
    promptTokens: z.number(),
    generatedTokens: z.number(),
    ackLost: z.number(),
    framesStale: z.number(),
    framesHostile: z.number(),
    handshakesRefused: z.number(),
  }),
  links: z.number(),
  draining: z.boolean(),
  /** What the page check said last; empty is right. */
  pagesWrong: z.string(),
});

export type Stage = z.infer<typeof stageSchema>;
export type RequestRecord = z.infer<typeof requestRecordSchema>;
export type EngineState = z.infer<typeof engineStateSchema>;
