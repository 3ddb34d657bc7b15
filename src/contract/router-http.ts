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

/**
 * PUT /admin/v1/edges: the whole table, by the daemon. A smaller epoch than the router's is refused. `admits: false`
 * takes no new requests (draining, not ready); `quarantined` names pairs that take none although both engines do.
 */
export const edgesBodySchema = z.object({
  epoch: z.number().int().min(0),
  engines: z
    .array(
      z.object({
        name: z.string(),
        role: z.enum(["prefill", "decode", "both"]),
        url: z.url(),
        /** host:port, prefill only. */
        bootstrap: z.string().optional(),
        /** Changes when the engine was started again: its connections are dropped. */
        generation: z.number(),
        admits: z.boolean(),
      }),
    )
    .max(1024),
  quarantined: z.array(z.object({ prefill: z.string(), decode: z.string() })).default([]),
});

/**
 * POST /admin/v1/hold: new requests wait from now on, for as long as the lease is renewed. Open requests of `engines`
 * that have sent no byte are kept to be sent again, but for `subjects`, which fail with `why`.
 */
export const holdBodySchema = z.object({
  leaseMs: z.number().int().min(100).max(60_000).default(10_000),
  epoch: z.number().int().min(0),
  engines: z.array(z.string()).default([]),
  subjects: z.array(z.string()).default([]),
  why: z.string().min(1).max(1000),
});

/** POST /admin/v1/admit: the hold is over; what waits is sent. */
export const admitBodySchema = z.object({ epoch: z.number().int().min(0) });

/** GET /admin/v1/state of the embedded router. */
export const routerStateSchema = z.object({
  epoch: z.number(),
  /** Absent while nothing is held. */
  hold: z.object({ leftMs: z.number(), held: z.number(), why: z.string() }).optional(),
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
export type EdgesBody = z.input<typeof edgesBodySchema>;
export type HoldBody = z.input<typeof holdBodySchema>;
export type AdmitBody = z.infer<typeof admitBodySchema>;
