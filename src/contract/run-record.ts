import { z } from "zod";

/** A process, told apart from a later one with the same number by the tick it started at. */
export const identitySchema = z.object({ pid: z.number().int().gt(1), startTicks: z.number().int().min(0) });

/** `<state>/run/NAME.json`, written whole by the shim that holds the process: who it is and how it ended. */
export const runRecordSchema = z.object({
  name: z.string(),
  generation: z.number(),
  bootId: z.string(),
  /** Inode of /proc/self/ns/pid: numbers mean something only inside it. */
  pidNamespace: z.string(),
  shim: identitySchema,
  /** Absent where it could not be started; `exit` says why. */
  child: identitySchema.optional(),
  session: z.number(),
  beganUnixMs: z.number(),
  exit: z
    .object({ code: z.number().optional(), signal: z.string().optional(), words: z.string().optional() })
    .optional(),
  /** True once the shim has no descendant left: the proof that the group is empty. Then the shim ends, too. */
  empty: z.boolean(),
  /** Bytes of output that the log could not take. */
  droppedBytes: z.number(),
});

export type Identity = z.infer<typeof identitySchema>;
export type RunRecord = z.infer<typeof runRecordSchema>;
