import { z } from "zod";
import { causeSchema, verdictNameSchema } from "./verdict.ts";

export const severitySchema = z.enum(["OK", "WARNING", "CRITICAL", "UNKNOWN"]);

/** GET /v1/health: one evaluation, for cron, systemd, Nagios, Kubernetes. */
export const healthViewSchema = z.object({
  status: severitySchema,
  fleet: z.string(),
  /** One sentence that names what is wrong, or that nothing is. */
  summary: z.string(),
  /** How old the tick is that this speaks of. */
  ageS: z.number(),
  problems: z.array(
    z.object({
      subject: z.string(),
      status: severitySchema,
      verdict: verdictNameSchema,
      cause: causeSchema.optional(),
      forS: z.number(),
      words: z.string(),
    }),
  ),
  /** Numbers for perfdata; what is unknown is absent. */
  perfdata: z.record(z.string(), z.number()),
});

export type Severity = z.infer<typeof severitySchema>;
export type HealthView = z.infer<typeof healthViewSchema>;
