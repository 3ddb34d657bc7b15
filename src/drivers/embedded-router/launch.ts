import { join } from "node:path";
import { addressText } from "../../contract/address.ts";
import type { FleetConfig } from "../../contract/config.ts";
import type { Ready, RouterLaunch } from "../../contract/launch.ts";
import { durationText } from "../../contract/units.ts";
import { flagsOf } from "../argv.ts";
import type { LaunchGround, ProcessSpec } from "../process-spec.ts";

/** An engine that the router may send to. */
export type Reachable = { readonly name: string; readonly host: string; readonly ready: Ready };

/** How to start the embedded router over engines that are ready. */
export function routerSpec(
  engines: { readonly prefill: readonly Reachable[]; readonly decode: readonly Reachable[] },
  { config, ground }: { config: FleetConfig; ground: LaunchGround },
): ProcessSpec {
  const { deadlines, router } = config;
  const launch: RouterLaunch = {
    name: "router",
    listen: router.listen,
    prefill: engines.prefill.map(prefillText),
    decode: engines.decode.map(({ name, ready }) => `${name}=${ready.url}`),
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
    argv: [
      ...ground.self,
      "router",
      ...flagsOf(launch),
      "--lifeline",
      ...(router["allow-open"] ? ["--allow-open"] : []),
    ],
    env: ground.env,
    cwd: ground.cwd,
    readyFile: launch.readyFile,
    startMs: deadlines.start,
    stopMs: 10_000,
  };
}

function prefillText({ name, host, ready }: Reachable): string {
  const bootstrap = ready.bootstrapPort === undefined ? "" : `,${addressText({ host, port: ready.bootstrapPort })}`;
  return `${name}=${ready.url}${bootstrap}`;
}
