import { z } from "zod";
import { actionViewSchema } from "./action.ts";
import { incidentLineSchema } from "./fleet.ts";
import { verdictSchema } from "./verdict.ts";

/** GET /v1/incidents/{id}: what was seen, concluded and done, in order. */
export const incidentSchema = incidentLineSchema.extend({
  /** Each verdict of its subject that changed something, the first one first. */
  verdicts: z.array(z.object({ at: z.string(), verdict: verdictSchema })),
  actions: z.array(actionViewSchema.extend({ at: z.string() })),
  /** From first evidence to healed; absent while it lasts. */
  healSeconds: z.number().optional(),
});

/** GET /v1/incidents: open and ended ones, the newest first. */
export const incidentListSchema = z.object({ incidents: z.array(incidentLineSchema) });

export type Incident = z.infer<typeof incidentSchema>;
