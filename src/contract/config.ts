import { z } from "zod";
import { addressSchema } from "./address.ts";
import { nameSchema } from "./name.ts";
import { durationRangeSchema, durationSchema, sizeSchema } from "./units.ts";

const portSchema = z.number().int().min(0).max(65_535);
const urlSchema = z.url({ error: 'must be a URL such as "http://127.0.0.1:9000"' });
const argvSchema = z.array(z.string()).min(1);

const controlSchema = z.strictObject({
  stop: argvSchema.optional(),
  start: argvSchema.optional(),
  timeout: durationSchema.prefault("20m"),
});

export const engineConfigSchema = z.strictObject({
  name: nameSchema,
  role: z.enum(["prefill", "decode", "both"]),
  driver: z.enum(["native", "sglang", "vllm"]),
  model: z.string().optional(),
  count: z.number().int().min(1).max(64).optional(),
  host: z.string().default("127.0.0.1"),
  port: portSchema.default(0),
  "bootstrap-port": portSchema.default(0),
  "port-step": z.number().int().min(1).max(1_000).default(1),
  gpus: z.array(z.array(z.number().int().min(0))).optional(),
  threads: z.number().int().min(1).max(256).default(1),
  pool: sizeSchema.prefault("256MiB"),
  context: z.number().int().min(16).optional(),
  sequences: z.number().int().min(1).max(1_024).optional(),
  command: argvSchema.optional(),
  args: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  env: z.record(z.string(), z.string()).default({}),
  cwd: z.string().optional(),
  start: durationSchema.optional(),
  stop: durationSchema.prefault("10s"),
  "allow-faults": z.boolean().default(false),
  "allow-open": z.boolean().default(false),
  url: urlSchema.optional(),
  "api-key-file": z.string().optional(),
  "admin-key-file": z.string().optional(),
  control: controlSchema.optional(),
});

const routerConfigSchema = z.strictObject({
  driver: z.enum(["embedded", "sglang-router", "none"]).default("embedded"),
  listen: addressSchema.default("127.0.0.1:8000"),
  replay: z.enum(["unsent", "never"]).default("unsent"),
  "allow-open": z.boolean().default(false),
  "api-keys-file": z.string().optional(),
});

const deadlinesSchema = z.strictObject({
  bootstrap: durationSchema.prefault("300s"),
  waiting: durationSchema.prefault("300s"),
  inflight: durationSchema.prefault("300s"),
  connect: durationSchema.prefault("5s"),
  "first-token": durationSchema.prefault("15m"),
  "token-gap": durationSchema.prefault("120s"),
  start: durationSchema.prefault("30m"),
});

const policySchema = z.strictObject({
  poll: durationSchema.prefault("1s"),
  suspect: durationSchema.prefault("30s"),
  wedge: durationSchema.prefault("60s"),
  act: z.array(z.enum(["fail", "isolate", "restart", "co-restart"])).optional(),
  restarts: z
    .strictObject({
      max: z.number().int().min(0).default(5),
      "reset-after": durationSchema.prefault("5m"),
      backoff: durationRangeSchema.prefault("1s..60s"),
    })
    .prefault({}),
  "co-restarts": z
    .strictObject({ max: z.number().int().min(0).default(2), window: durationSchema.prefault("1h") })
    .prefault({}),
});

const notifySchema = z
  .strictObject({ webhook: urlSchema.optional(), exec: argvSchema.optional() })
  .refine(({ webhook, exec }) => (webhook === undefined) !== (exec === undefined), "must have either webhook or exec");

/** pdctl.yaml, whole. Keys are spelled as in the file; durations are milliseconds and sizes bytes once parsed. */
export const fleetConfigSchema = z.strictObject({
  fleet: nameSchema.default("default"),
  model: z.string().min(1).default("smollm2-135m"),
  engines: z
    .array(engineConfigSchema)
    .min(1)
    .max(64)
    .prefault([
      { name: "prefill", role: "prefill", driver: "native" },
      { name: "decode", role: "decode", driver: "native" },
    ]),
  router: routerConfigSchema.prefault({}),
  transfer: z.strictObject({ backend: z.enum(["shm", "tcp", "nixl", "mooncake"]).default("shm") }).prefault({}),
  deadlines: deadlinesSchema.prefault({}),
  policy: policySchema.prefault({}),
  canary: z
    .strictObject({
      every: z
        .union([z.literal("off"), durationSchema], { error: 'must be off, or a duration such as "60s"' })
        .prefault("60s"),
    })
    .prefault({}),
  watchdog: z
    .strictObject({ enabled: z.boolean().default(true), "hard-limit": durationSchema.prefault("600s") })
    .prefault({}),
  metrics: z.strictObject({ listen: addressSchema.default("127.0.0.1:9464") }).prefault({}),
  notify: z.array(notifySchema).default([]),
});

export type FleetConfig = z.infer<typeof fleetConfigSchema>;
export type EngineConfig = z.infer<typeof engineConfigSchema>;

/** The JSON Schema of pdctl.yaml, for editors. */
export function configJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(fleetConfigSchema, { io: "input" });
}
