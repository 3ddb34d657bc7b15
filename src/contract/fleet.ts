import { z } from "zod";

/** Where a launched process is in its life; the table of allowed moves is the supervisor's. */
export const processStateSchema = z.enum(["stopped", "starting", "ready", "draining", "stopping", "failed"]);

/** One launched process as GET /v1/fleet shows it. */
export const processViewSchema = z.object({
  name: z.string(),
  role: z.enum(["prefill", "decode", "both", "router"]),
  driver: z.string(),
  state: processStateSchema,
  pid: z.number().optional(),
  url: z.string().optional(),
  bootstrapPort: z.number().optional(),
  /** How often it was started. */
  generation: z.number(),
  /** Why it failed. */
  cause: z.string().optional(),
});

/** GET /v1/fleet. */
export const fleetViewSchema = z.object({
  fleet: z.string(),
  state: z.enum(["starting", "ready", "degraded", "stopping", "failed"]),
  /** What is being done right now, while starting or stopping. */
  step: z.string().optional(),
  epoch: z.number(),
  model: z.string(),
  /** Of the router; absent until it listens. */
  url: z.string().optional(),
  daemon: z.object({ pid: z.number(), since: z.string() }),
  engines: z.array(processViewSchema),
  router: processViewSchema,
});

/** Body of POST /v1/fleet/stop. */
export const stopWishSchema = z.strictObject({
  drainMs: z.number().int().min(0).max(86_400_000).default(30_000),
  now: z.boolean().default(false),
});

export type ProcessState = z.infer<typeof processStateSchema>;
export type ProcessView = z.infer<typeof processViewSchema>;
export type FleetView = z.infer<typeof fleetViewSchema>;
export type StopWish = z.infer<typeof stopWishSchema>;
