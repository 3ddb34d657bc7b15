import { z } from "zod";
import { isSubject, type Subject } from "./subject.ts";

/** Every verdict with its causes: the list is part of the promise to users. */
export const verdictCauses = {
  ok: [],
  idle: ["stale-gauge"],
  busy: ["prefill", "decode", "transferring", "saturated", "retraction", "rank-skew", "warm-up"],
  slow: ["transfer", "queue"],
  starting: [],
  draining: [],
  paused: [],
  suspect: ["no-progress", "probation", "secondary", "unquiesced"],
  wedge: [
    "abort-race",
    "bootstrap-stall",
    "transfer-stall",
    "orphan",
    "decode-restart",
    "hidden-wait",
    "not-draining",
    "decode-slots",
    "stage-skew",
    "rank-freeze",
    "compute",
    "decode",
    "loop-hang",
  ],
  leak: ["bootstrap-entries", "decode-kv", "prefill-pinned", "held-pages"],
  storm: ["aborts"],
  fault: [
    "edge-broken",
    "kv-corruption",
    "router-breaker",
    "router-stale-worker",
    "doomed-requests",
    "limit-too-low",
    "pd-bypassed",
    "shared-cause",
    "config",
    "bad-request",
    "kv-corruption-risk",
  ],
  down: ["exited", "refused", "start-timeout", "crash-loop", "port-held"],
  unknown: ["no-data", "unreadable", "unstable-endpoint", "signal"],
} as const satisfies Record<string, readonly string[]>;

export type VerdictName = keyof typeof verdictCauses;
export type Cause = (typeof verdictCauses)[VerdictName][number];

const verdictNames = Object.keys(verdictCauses) as VerdictName[];
const causes: readonly Cause[] = Object.values(verdictCauses).flat<readonly (readonly Cause[])[]>();

export const verdictNameSchema = z.enum(verdictNames);
export const causeSchema = z.enum(causes);
export const subjectSchema = z.custom<Subject>((value) => typeof value === "string" && isSubject(value), {
  error: 'must be "fleet", "router", "engine NAME", "edge P:D" or "request ID"',
});

/** What was considered instead, and the fact that speaks against it. */
export const ruledOutSchema = z.object({ cause: z.string(), by: z.string() });

/** What the detector says of one subject, with everything that the healer may use: it sees no Observation. */
export const verdictSchema = z.object({
  subject: subjectSchema,
  verdict: verdictNameSchema,
  cause: causeSchema.optional(),
  /** Milliseconds on the monotonic clock: when the evidence for it began. */
  sinceMs: z.number(),
  /** Sentences, the strongest first. */
  evidence: z.array(z.string()),
  ruledOut: z.array(ruledOutSchema),
  sure: z.enum(["high", "low"]),
  /** Of the engine that it speaks of; an action against another generation is stale. */
  generation: z.number().optional(),
  /** Something on the subject makes progress: tokens, bytes, completions, changes of stage. */
  moving: z.boolean(),
  /** The samples of this tick show it; an older one never leads to an action. */
  fresh: z.boolean(),
  /** Requests that an action can name, the oldest first. */
  requests: z.array(z.string()),
  /** Engines that it concerns: of an edge both, of a request those that hold it. */
  engines: z.array(z.string()),
  /** The engine that the evidence proves guilty, where it does. */
  guilty: z.string().optional(),
});

export type Verdict = z.infer<typeof verdictSchema>;
export type RuledOut = z.infer<typeof ruledOutSchema>;
