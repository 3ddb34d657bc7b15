import type { z } from "zod";
import type { FleetConfig, fleetConfigSchema } from "./config.ts";
import { durationText, sizeText } from "./units.ts";

/** A checked configuration as pdctl.yaml spells it: what the schema reads and makes the same of. */
export function spelledConfig(config: FleetConfig): z.input<typeof fleetConfigSchema> {
  const { engines, deadlines, policy, canary, watchdog } = config;
  return {
    ...config,
    engines: engines.map(spelledEngine),
    deadlines: {
      bootstrap: durationText(deadlines.bootstrap),
      waiting: durationText(deadlines.waiting),
      inflight: durationText(deadlines.inflight),
      connect: durationText(deadlines.connect),
      "first-token": durationText(deadlines["first-token"]),
      "token-gap": durationText(deadlines["token-gap"]),
      start: durationText(deadlines.start),
    },
    policy: spelledPolicy(policy),
    canary: { every: canary.every === "off" ? "off" : durationText(canary.every) },
    watchdog: { ...watchdog, "hard-limit": durationText(watchdog["hard-limit"]) },
  };
}

/** The same of the policy alone: recordings hold it. */
export function spelledPolicy(policy: FleetConfig["policy"]): z.input<typeof fleetConfigSchema.shape.policy> {
  const { poll, suspect, wedge, restarts } = policy;
  const { fromMs, toMs } = restarts.backoff;
  return {
    ...policy,
    poll: durationText(poll),
    suspect: durationText(suspect),
    wedge: durationText(wedge),
    restarts: {
      ...restarts,
      "reset-after": durationText(restarts["reset-after"]),
      backoff: `${durationText(fromMs)}..${durationText(toMs)}`,
    },
    "co-restarts": { ...policy["co-restarts"], window: durationText(policy["co-restarts"].window) },
  };
}

type Engine = FleetConfig["engines"][number];

function spelledEngine(engine: Engine): NonNullable<z.input<typeof fleetConfigSchema>["engines"]>[number] {
  const { start, control } = engine;
  return {
    ...engine,
    pool: sizeText(engine.pool),
    stop: durationText(engine.stop),
    start: start === undefined ? undefined : durationText(start),
    control: control === undefined ? undefined : { ...control, timeout: durationText(control.timeout) },
  };
}
