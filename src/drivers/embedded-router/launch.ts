import { join } from "node:path";
import type { FleetConfig } from "../../contract/config.ts";
import type { RouterLaunch } from "../../contract/launch.ts";
import { durationText } from "../../contract/units.ts";
import { flagsOf } from "../argv.ts";
import type { LaunchGround, ProcessSpec } from "../process-spec.ts";

/** How to start the embedded router. It gets its engines by PUT /admin/v1/edges, and again whenever they change. */
export function routerSpec({ config, ground }: { config: FleetConfig; ground: LaunchGround }): ProcessSpec {
  const { deadlines, router } = config;
  const launch: RouterLaunch = {
    name: "router",
    listen: router.listen,
    replay: router.replay,
    prefill: [],
    decode: [],
    secretFile: ground.secretFile,
    readyFile: join(ground.run, "router.ready"),
    deadlineConnect: durationText(deadlines.connect),
    deadlineFirstToken: durationText(deadlines["first-token"]),
    deadlineTokenGap: durationText(deadlines["token-gap"]),
  };
  return {
    name: launch.name,
    role: "router",
    driver: "embedded",
    argv: [...ground.self, "router", ...flagsOf(launch), ...(router["allow-open"] ? ["--allow-open"] : [])],
    env: ground.env,
    cwd: ground.cwd,
    readyFile: launch.readyFile,
    startMs: deadlines.start,
    stopMs: 10_000,
  };
}
