import { z } from "zod";
import { fleetViewSchema } from "./fleet.ts";
import { requestViewSchema } from "./request-view.ts";

/** One thing that happened, in the journal and on GET /v1/events. */
export const eventSchema = z.object({
  /** Counts up; a reader that comes back gives the last one it has seen (`Last-Event-ID`). */
  id: z.number(),
  /** ISO 8601, for people. */
  at: z.string(),
  /** Milliseconds on the monotonic clock. */
  atMs: z.number(),
  kind: z.enum(["state", "step", "verdict", "incident", "action", "outcome", "wish", "watchdog"]),
  /** A subject, or the name of a process. */
  subject: z.string(),
  /** One sentence, complete for a reader of the log. */
  words: z.string(),
  severity: z.enum(["ok", "warning", "critical", "unknown"]),
  incident: z.string().optional(),
  action: z.string().optional(),
});

/** What GET /v1/events?view=live sends at each tick as an SSE event named `view`; `top` draws it. */
export const liveViewSchema = z.object({
  fleet: fleetViewSchema,
  /** Live ones only, the oldest in its stage first; at most 1,000. */
  requests: z.array(requestViewSchema),
  host: z.object({
    loadPercent: z.number().optional(),
    memoryUsedBytes: z.number().optional(),
    memoryBytes: z.number().optional(),
  }),
});

export type FleetEvent = z.infer<typeof eventSchema>;
export type LiveView = z.infer<typeof liveViewSchema>;
