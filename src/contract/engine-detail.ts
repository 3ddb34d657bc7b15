import { z } from "zod";
import { incidentLineSchema, processViewSchema } from "./fleet.ts";
import { verdictSchema } from "./verdict.ts";

/** GET /v1/engines/{name}: the engine as the fleet shows it, and everything that is said of it. */
export const engineDetailSchema = processViewSchema.extend({
  /** Where its output goes. */
  logFile: z.string(),
  /** Of itself, of its edges and of the requests that it holds: only those that are not ok, idle or busy. */
  verdicts: z.array(verdictSchema),
  /** Open and ended ones that concern it, the newest first. */
  incidents: z.array(incidentLineSchema),
});

export type EngineDetail = z.infer<typeof engineDetailSchema>;
