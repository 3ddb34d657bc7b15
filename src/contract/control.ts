import { z } from "zod";
import { stageSchema } from "./engine-http.ts";

/** POST /admin/v1/requests/{id}/fail, on an engine and on the router. */
export const failBodySchema = z.object({ why: z.string().min(1).max(1000) });

/** POST /admin/v1/faults of an engine. */
export const faultBodySchema = z.object({ name: z.string().min(1), on: z.boolean().default(true) });

/** What an engine answers to it: what the request held before, of which `pagesHeld` wait for proof. */
export const failedSchema = z.object({
  id: z.string().optional(),
  room: z.string().optional(),
  /** False: it had ended already. */
  failed: z.boolean(),
  /** Whether it has ended by now; absent for a room that no request had. */
  ended: z.boolean().optional(),
  stage: stageSchema.optional(),
  pages: z.number().optional(),
  pagesHeld: z.number().optional(),
});

export type Failed = z.infer<typeof failedSchema>;
