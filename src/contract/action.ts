import { z } from "zod";
import { causeSchema, subjectSchema, verdictNameSchema } from "./verdict.ts";

/** What can be done. The first row answers verdicts; the second is what a wish for up or down takes. */
export const actionNameSchema = z.enum([
  ...(["fail", "abort", "drain", "quarantine", "shed", "reregister", "restart", "co-restart", "notify"] as const),
  ...(["start", "stop", "resume", "canary"] as const),
]);

/** Who wants it: a verdict, a person, or the wish that the fleet is up or down. */
const actorSchema = z.enum(["healer", "operator", "wish", "watchdog"]);

/** One thing to do, planned by the healer or asked for by a person. Performed by the supervisor at most once. */
export const actionSchema = z.object({
  id: z.string(),
  action: actionNameSchema,
  target: subjectSchema,
  /** Of the target engine when it was planned; where it differs by now the action is stale and nothing happens. */
  generation: z.number().optional(),
  epoch: z.number(),
  by: actorSchema,
  why: z.string(),
  /** What led to it. */
  verdict: z.object({ subject: subjectSchema, verdict: verdictNameSchema, cause: causeSchema.optional() }).optional(),
  /** What should be seen when it has worked. */
  effect: z.string(),
  /** How long after its outcome the effect may take to show. */
  settleMs: z.number(),
  /** What comes next where the effect stays away. */
  next: actionNameSchema.optional(),
  /** Engines of a co-restart. */
  engines: z.array(z.string()).optional(),
  /** Requests that it names: those of a fail, and those that a co-restart must not send again. */
  requests: z.array(z.string()).optional(),
  /** Drain and stop: how long open requests may go on; `now` cuts every wait short. */
  drainMs: z.number().optional(),
  now: z.boolean().optional(),
});

/** stale: the evidence was gone, or the target was another one by then. unknown: it was begun before a crash. */
export const outcomeNameSchema = z.enum(["done", "failed", "stale", "refused", "unknown"]);

/** How one Action ended; at most one an Action. */
export const outcomeSchema = z.object({
  actionId: z.string(),
  outcome: outcomeNameSchema,
  /** Milliseconds on the monotonic clock. */
  atMs: z.number(),
  words: z.string(),
  /** A start that failed before anything of its own ran, as on a full disk: it does not count against the budget. */
  startedNothing: z.boolean().optional(),
  /** What was released where, a line each. */
  details: z.array(z.string()).default([]),
});

/** GET /v1/actions/{id}. */
export const actionViewSchema = z.object({ action: actionSchema, outcome: outcomeSchema.optional() });

export type ActionName = z.infer<typeof actionNameSchema>;
export type Action = z.infer<typeof actionSchema>;
export type OutcomeName = z.infer<typeof outcomeNameSchema>;
export type Outcome = z.infer<typeof outcomeSchema>;
export type ActionView = z.infer<typeof actionViewSchema>;
