import { z } from "zod";

// What the poller sees and what a recording holds are the same: one line is one Observation. Times are seconds.
// A field that is absent is unknown, never zero.

const count = z.number().min(0);

/** Digits, exact beyond 2^53: a JSON number is taken by its digits. */
const roomSchema = z.union([z.string().regex(/^\d+$/), z.bigint().transform(String), z.number().transform(String)]);

const seenStageSchema = z.enum(["bootstrap", "waiting", "running", "inflight", "prealloc", "transfer"]);

/** One live request on one engine. */
export const seenRequestSchema = z.object({
  id: z.string(),
  room: roomSchema.optional(),
  stage: seenStageSchema.optional(),
  age_s: count.optional(),
  stage_age_s: count.optional(),
  prompt_tokens: count.optional(),
  output_tokens: count.optional(),
  rows_computed: count.optional(),
  bytes_done: count.optional(),
  bytes_total: count.optional(),
  peer: z.string().optional(),
});

const engineFields = {
  generation: z.number().optional(),
  start_time: z.number().optional(),
  health: z.enum(["ok", "fail", "timeout", "refused", "starting"]).optional(),
  bootstrap_queue: count.optional(),
  waiting: count.optional(),
  running: count.optional(),
  inflight: count.optional(),
  inflight_oldest_s: count.optional(),
  prealloc_queue: count.optional(),
  transfer_queue: count.optional(),
  transfer_queue_max: count.optional(),
  retracted: count.optional(),
  paused: count.optional(),
  draining: z.boolean().optional(),
  prompt_tokens_total: count.optional(),
  generated_tokens_total: count.optional(),
  gen_throughput: count.optional(),
  kv_usage: z.number().min(0).max(1).optional(),
  transfers_completed_total: count.optional(),
  transfer_bytes_total: count.optional(),
  bootstrap_failed_total: count.optional(),
  transfer_failed_total: count.optional(),
  kv_expired_total: count.optional(),
  aborted_total: count.optional(),
  gpu_util: z.number().min(0).max(1).optional(),
  loop_age_s: count.optional(),
  loop_steps_total: count.optional(),
  lease_s: count.optional(),
  /** Of the engine's main process, from the kernel: no probe is needed for it. */
  proc_state: z.string().optional(),
  /** Of the engine's whole group. */
  cpu_seconds_total: count.optional(),
  rss_bytes: count.optional(),
  requests: z.array(seenRequestSchema).optional(),
};

const rankSchema = z.object({
  ...engineFields,
  dp: z.number().optional(),
  pp: z.number().optional(),
  tp: z.number().optional(),
});

const at = { t: z.number() };

/** One look at an engine. */
export const sampleSchema = z.object({
  kind: z.literal("sample"),
  ...at,
  id: z.string(),
  ...engineFields,
  ranks: z.array(rankSchema).optional(),
  // A router's lines have the same kind.
  open: z
    .array(
      z.object({
        id: z.string(),
        room: roomSchema.optional(),
        prefill: z.string().optional(),
        decode: z.string().optional(),
        age_s: count.optional(),
        bytes: count.optional(),
      }),
    )
    .optional(),
  breakers: z.record(z.string(), z.number()).optional(),
  dispatched_total: z.record(z.string(), z.number()).optional(),
});

export const edgeLineSchema = z.object({
  kind: z.literal("edge"),
  ...at,
  prefill: z.string(),
  decode: z.string(),
  attempts_total: count.optional(),
  ok_total: count.optional(),
  bytes_total: count.optional(),
});

const scrapeSchema = z.object({
  kind: z.literal("scrape"),
  ...at,
  id: z.string(),
  source: z.enum(["metrics", "loads", "server_info", "health"]),
  status: z.number().optional(),
  body: z.string().optional(),
  error: z.string().optional(),
});

export const exitLineSchema = z.object({
  kind: z.literal("exit"),
  ...at,
  id: z.string(),
  code: z.number().optional(),
  signal: z.string().optional(),
});

const logLineSchema = z.object({ kind: z.literal("log"), ...at, id: z.string(), line: z.string() });

export const canaryLineSchema = z.object({
  kind: z.literal("canary"),
  ...at,
  /** P:D */
  edge: z.string(),
  result: z.enum(["ok", "wrong", "timeout", "busy"]),
});

const clockLineSchema = z.object({ kind: z.literal("clock"), ...at, jump_s: z.number() });

export const observationSchema = z.discriminatedUnion("kind", [
  sampleSchema,
  edgeLineSchema,
  scrapeSchema,
  exitLineSchema,
  logLineSchema,
  canaryLineSchema,
  clockLineSchema,
]);

/** The first line of a recording: who there is, and by which policy it was watched. */
export const fleetLineSchema = z.object({
  kind: z.literal("fleet"),
  version: z.literal(1),
  engines: z.array(
    z.object({
      id: z.string(),
      role: z.enum(["prefill", "decode", "both", "router"]),
      driver: z.string(),
      /** Attached by its URL: never launched, signalled or stopped from here. */
      attached: z.boolean().optional(),
      control: z.boolean().optional(),
    }),
  ),
  /** As in pdctl.yaml. */
  policy: z.record(z.string(), z.unknown()).default({}),
  facts: z.record(z.string(), z.unknown()).default({}),
});

export type SeenRequest = z.infer<typeof seenRequestSchema>;
export type Sample = z.infer<typeof sampleSchema>;
export type EdgeLine = z.infer<typeof edgeLineSchema>;
export type ExitLine = z.infer<typeof exitLineSchema>;
export type CanaryLine = z.infer<typeof canaryLineSchema>;
export type Observation = z.infer<typeof observationSchema>;
export type FleetLine = z.infer<typeof fleetLineSchema>;
/** Who is watched: an engine, or the router. */
export type Watched = FleetLine["engines"][number];
