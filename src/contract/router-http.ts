import { z } from "zod";
import { failureSchema } from "./engine-http.ts";

/** One request as the embedded router knows it: GET /admin/v1/requests[/{id}]. */
export const routerRequestSchema = z.object({
  id: z.string(),
  /** What the client sent as x-request-id, if anything. */
  clientId: z.string().optional(),
  /** Absent where one engine prefills and decodes; then it is both prefill and decode here. */
  room: z.string().optional(),
  prefill: z.string(),
  decode: z.string(),
  attempt: z.number(),
  path: z.string(),
  stream: z.boolean(),
  arrivedUnixMs: z.number(),
  ageMs: z.number(),
  firstByteUnixMs: z.number().optional(),
  endedUnixMs: z.number().optional(),
  bytes: z.number(),
  committed: z.boolean(),
  outcome: z.enum(["open", "answered", "failed", "client-gone"]),
  failure: failureSchema.optional(),
});

/** GET /admin/v1/state of the embedded router. */
export const routerStateSchema = z.object({
  epoch: z.number(),
  open: z.number(),
  edges: z.array(
    z.object({
      prefill: z.string(),
      decode: z.string(),
      open: z.number(),
      attemptsTotal: z.number(),
      okTotal: z.number(),
    }),
  ),
  totals: z.object({
    requests: z.number(),
    answered: z.number(),
    failed: z.number(),
    clientGone: z.number(),
    ackLost: z.number(),
  }),
});

export type RouterRequest = z.infer<typeof routerRequestSchema>;
export type RouterState = z.infer<typeof routerStateSchema>;
