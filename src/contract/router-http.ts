import { z } from "zod";
import { failureSchema } from "./engine-http.ts";

/** One request as the embedded router knows it: GET /admin/v1/requests[/{id}]. */
export const routerRequestSchema = z.object({
  /** That of its legs, and so another one once it is sent again. */
  id: z.string(),
  /** The ids it had before; it is found by them too. */
  earlier: z.array(z.string()).optional(),
  /** What the client sent as x-request-id, if anything. */
  clientId: z.string().optional(),
  /** Absent where one engine prefills and decodes; then it is both prefill and decode here. */
  room: z.string().optional(),
  /** Both are absent while it has not been sent anywhere. */
  prefill: z.string().optional(),
  decode: z.string().optional(),
  attempt: z.number(),
  /** It waits for engines, and is on none. */
  held: z.boolean().optional(),
  /** Sent to try an edge; not in the counts of edges and totals. */
  canary: z.boolean().optional(),
  path: z.string(),
  stream: z.boolean(),
  arrivedUnixMs: z.number(),
  ageMs: z.number(),
  firstByteUnixMs: z.number().optional(),
  endedUnixMs: z.number().optional(),
  bytes: z.number(),
  committed: z.boolean(),
  /** Of the router's own deadlines the one that fires next; absent once it has ended. */
  deadline: z.object({ name: z.enum(["first-token", "token-gap", "held"]), inMs: z.number() }).optional(),
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
 * POST /admin/v1/hold: new requests wait from now on, for as long as the lease is renewed; where `engines` names some,
 * those that another edge can take do not wait. Open requests of `engines` that have sent no byte are kept to be sent
 * again, but for `subjects` (ids or rooms), which fail with `why`; streams that have begun end with an error.
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
