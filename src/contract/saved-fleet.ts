import { z } from "zod";
import { fleetConfigSchema } from "./config.ts";

/**
 * `<state>/fleet.json`: everything that running the fleet takes, checked when it was written, so that a daemon that
 * comes later (started by the watchdog, by systemd, by hand) runs the same fleet. Mode 0600.
 */
export const savedFleetSchema = z.object({
  version: z.literal(1),
  /** In the file as pdctl.yaml spells it (spelledConfig); once read, durations are milliseconds and sizes bytes. */
  config: fleetConfigSchema,
  /** The model file of each engine. */
  models: z.record(z.string(), z.string()),
  /** How pdctl is run: the Node and the script. */
  self: z.array(z.string()).min(1),
  cwd: z.string(),
  /** What engines inherit besides their own env. */
  env: z.record(z.string(), z.string()),
  socket: z.string(),
  startTimeoutMs: z.number(),
});

/** `<state>/intent.json`: the wish. `down` and `maintenance` mean hands off, for the daemon and the watchdog. */
export const intentSchema = z.object({
  wish: z.enum(["up", "down", "maintenance"]),
  epoch: z.number().int().min(0),
  /** Maintenance ends by itself then; ISO 8601. */
  until: z.string().optional(),
});

export type SavedFleet = z.infer<typeof savedFleetSchema>;
export type Intent = z.infer<typeof intentSchema>;
