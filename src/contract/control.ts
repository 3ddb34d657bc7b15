import { z } from "zod";

/** POST /admin/v1/requests/{id}/fail, on an engine and on the router. */
export const failBodySchema = z.object({ why: z.string().min(1).max(1000) });

/** POST /admin/v1/faults of an engine. */
export const faultBodySchema = z.object({ name: z.string().min(1), on: z.boolean().default(true) });
