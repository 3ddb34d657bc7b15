import { join } from "node:path";
import type { FleetConfig } from "../contract/config.ts";
import { type Instance, instances } from "../contract/instances.ts";
import type { ProcessSpec } from "../drivers/process-spec.ts";
import { fileLog, type Log } from "../lib/log.ts";
import type { Places } from "../lib/places.ts";
import { Daemon } from "./daemon.ts";
import { type Ground, takeGround } from "./ground.ts";
import type { DaemonOptions } from "./options.ts";
import { FleetPlan } from "./supervisor/fleet-plan.ts";

/** Runs the daemon of a fleet until it is asked to end, or the fleet is. The composition root. */
export async function runDaemon(options: DaemonOptions): Promise<void> {
  const ground = await takeGround(options.places);
  const log = fileLog(join(options.places.logs, "daemon.log"));
  try {
    await runOn(ground, options, log);
  } catch (error) {
    log.fatal({ error }, "the daemon ends");
    throw error;
  } finally {
    ground.leave();
    log.flush();
  }
}

async function runOn(ground: Ground, options: DaemonOptions, log: Log): Promise<void> {
  const daemon = await Daemon.open({ options, ground, log });
  try {
    const end = await daemon.run();
    // The wish is still up: the watchdog goes on, so that nothing runs unseen, and brings another daemon.
    if (end === "left") return;
    await daemon.endWatchdog();
    ground.forget();
    if (daemon.failure !== undefined) throw daemon.failure;
  } finally {
    await daemon.close();
  }
}

export type PlanOptions = {
  readonly config: FleetConfig;
  readonly places: Places;
  /** The model of each engine, as a path. */
  readonly modelOf: (instance: Instance) => string;
  /** How this program is run: the Node and the script. */
  readonly self: readonly string[];
  readonly cwd: string;
};

/** What would be started, in order. Ports that the system picks stand as 0. */
export function planFleet({ config, places, modelOf, self, cwd }: PlanOptions): readonly ProcessSpec[] {
  const models = Object.fromEntries(instances(config).map((one) => [one.name, modelOf(one)]));
  // Only what the configuration adds to the environment: the rest is the caller's own, and may hold secrets.
  return new FleetPlan({ config, models, self: [...self], cwd, env: {}, places }).specs();
}
