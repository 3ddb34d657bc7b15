import { z } from "zod";

/** An error of the daemon's API (application/problem+json); `code` is one of errors.ts. */
export const problemSchema = z.object({
  type: z.literal("about:blank"),
  status: z.number(),
  title: z.string(),
  detail: z.string(),
  code: z.string(),
  tryThis: z.string(),
});

export type Problem = z.infer<typeof problemSchema>;
