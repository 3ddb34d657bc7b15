import { z } from "zod";
import { severitySchema } from "./health.ts";
import { causeSchema, verdictNameSchema } from "./verdict.ts";

/** Where a launched process is in its life; the table of allowed moves is the supervisor's. */
export const processStateSchema = z.enum(["stopped", "starting", "ready", "draining", "stopping", "failed"]);

/** What the latest sample of an engine holds; a field that is absent is unknown. Ages are seconds. */
const engineLoadSchema = z.object({
  bootstrap_queue: z.number().optional(),
  waiting: z.number().optional(),
  running: z.number().optional(),
  inflight: z.number().optional(),
  inflight_oldest_s: z.number().optional(),
  prealloc_queue: z.number().optional(),
  transfer_queue: z.number().optional(),
  kv_usage: z.number().optional(),
  prompt_tokens_total: z.number().optional(),
  generated_tokens_total: z.number().optional(),
  transfer_bytes_total: z.number().optional(),
  bootstrap_failed_total: z.number().optional(),
  transfer_failed_total: z.number().optional(),
  loop_age_s: z.number().optional(),
  cpu_seconds_total: z.number().optional(),
  rss_bytes: z.number().optional(),
});

/** One launched process as GET /v1/fleet shows it. */
export const processViewSchema = z.object({
  name: z.string(),
  role: z.enum(["prefill", "decode", "both", "router"]),
  driver: z.string(),
  state: processStateSchema,
  /** Of the process itself, not of what holds it. */
  pid: z.number().optional(),
  url: z.string().optional(),
  bootstrapPort: z.number().optional(),
  /** How often it was started. */
  generation: z.number(),
  /** What the detector says of it; absent while it has said nothing. */
  verdict: verdictNameSchema.optional(),
  cause: causeSchema.optional(),
  /** Why it failed, in words. */
  failure: z.string().optional(),
  /** Starts since it was last stable, of those that the policy allows. */
  restarts: z.number().optional(),
  /** How old the latest sample is; absent where there is none. */
  sampleAgeS: z.number().optional(),
  load: engineLoadSchema.optional(),
});

/** One prefill × decode pair. */
export const edgeViewSchema = z.object({
  prefill: z.string(),
  decode: z.string(),
  verdict: verdictNameSchema.optional(),
  cause: causeSchema.optional(),
  /** What the router says of it. */
  open: z.number().optional(),
  attemptsTotal: z.number().optional(),
  okTotal: z.number().optional(),
  quarantined: z.boolean(),
});

/** An incident as the lists show it. */
export const incidentLineSchema = z.object({
  id: z.string(),
  subject: z.string(),
  verdict: verdictNameSchema,
  cause: causeSchema.optional(),
  /** ISO 8601. */
  since: z.string(),
  ended: z.string().optional(),
  /** What was done last, in words. */
  done: z.string().optional(),
});

/** GET /v1/fleet. */
export const fleetViewSchema = z.object({
  fleet: z.string(),
  state: z.enum(["starting", "ready", "degraded", "stopping", "failed"]),
  /** What is being done right now: while starting or stopping, and by an operation. */
  step: z.string().optional(),
  epoch: z.number(),
  model: z.string(),
  /** Of the router; absent until it listens. */
  url: z.string().optional(),
  /** host:port of the metrics; absent where nobody serves them. */
  metrics: z.string().optional(),
  daemon: z.object({ pid: z.number(), since: z.string(), tickAgeS: z.number().optional() }),
  /** Absent where it is disabled or has not been seen. */
  watchdog: z.object({ pid: z.number(), last_seen_s: z.number() }).optional(),
  /** The worst that is said of the fleet or of anything in it, how bad that is, and of what it is said. */
  verdict: verdictNameSchema.optional(),
  cause: causeSchema.optional(),
  severity: severitySchema.optional(),
  verdictOf: z.string().optional(),
  engines: z.array(processViewSchema),
  router: processViewSchema,
  edges: z.array(edgeViewSchema),
  incidents: z.array(incidentLineSchema),
  /** Why fewer actions are allowed than the policy says, where that is so. */
  restricted: z.string().optional(),
});

/** Body of POST /v1/fleet/stop. */
export const stopWishSchema = z.strictObject({
  drainMs: z.number().int().min(0).max(86_400_000).default(30_000),
  now: z.boolean().default(false),
});

export type ProcessState = z.infer<typeof processStateSchema>;
export type EngineLoad = z.infer<typeof engineLoadSchema>;
export type ProcessView = z.infer<typeof processViewSchema>;
export type EdgeView = z.infer<typeof edgeViewSchema>;
export type IncidentLine = z.infer<typeof incidentLineSchema>;
export type FleetView = z.infer<typeof fleetViewSchema>;
export type StopWish = z.infer<typeof stopWishSchema>;
