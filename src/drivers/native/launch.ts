import { join } from "node:path";
import { addressText } from "../../contract/address.ts";
import type { FleetConfig } from "../../contract/config.ts";
import type { Instance } from "../../contract/instances.ts";
import type { EngineLaunch } from "../../contract/launch.ts";
import { knownModel } from "../../contract/models.ts";
import { durationText, sizeText } from "../../contract/units.ts";
import { flagsOf } from "../argv.ts";
import type { LaunchGround, ProcessSpec } from "../process-spec.ts";

/** How to start one native engine. */
export function engineSpec(
  { name, engine, port, bootstrapPort }: Instance,
  { config, model, ground }: { config: FleetConfig; model: string; ground: LaunchGround },
): ProcessSpec {
  const { deadlines } = config;
  const launch: EngineLaunch = {
    name,
    role: engine.role,
    model,
    ...(knownModel(config.model) === undefined ? {} : { servedName: config.model }),
    listen: addressText({ host: engine.host, port }),
    ...(engine.role === "prefill" ? { bootstrap: addressText({ host: engine.host, port: bootstrapPort }) } : {}),
    socketDir: ground.run,
    secretFile: ground.secretFile,
    readyFile: join(ground.run, `${name}.ready`),
    threads: engine.threads,
    pool: sizeText(engine.pool),
    ...(engine.context === undefined ? {} : { context: engine.context }),
    ...(engine.sequences === undefined ? {} : { sequences: engine.sequences }),
    deadlineBootstrap: durationText(deadlines.bootstrap),
    deadlineWaiting: durationText(deadlines.waiting),
    deadlineInflight: durationText(deadlines.inflight),
    deadlineConnect: durationText(deadlines.connect),
    allowFaults: engine["allow-faults"],
  };
  return {
    name,
    role: engine.role,
    driver: "native",
    argv: [...ground.self, "engine", ...flagsOf(launch), ...openFlag(engine), ...flagsOf(engine.args)],
    env: { ...ground.env, ...engine.env },
    cwd: engine.cwd ?? ground.cwd,
    readyFile: launch.readyFile,
    startMs: engine.start ?? deadlines.start,
    stopMs: engine.stop,
  };
}

function openFlag(engine: Instance["engine"]): string[] {
  return engine["allow-open"] ? ["--allow-open"] : [];
}
