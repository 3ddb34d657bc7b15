import { addressOf, addressText } from "../../contract/address.ts";
import type { FleetConfig } from "../../contract/config.ts";
import { BugError } from "../../contract/errors.ts";
import { instances } from "../../contract/instances.ts";
import type { Ready } from "../../contract/launch.ts";
import type { SavedFleet } from "../../contract/saved-fleet.ts";
import { routerSpec } from "../../drivers/embedded-router/launch.ts";
import { engineSpec } from "../../drivers/native/launch.ts";
import type { LaunchGround, ProcessSpec } from "../../drivers/process-spec.ts";
import type { Places } from "../../lib/places.ts";

export type PlanGround = Pick<SavedFleet, "config" | "models" | "self" | "env" | "cwd"> & {
  readonly places: Places;
};

/** How each process of a fleet is started. */
export class FleetPlan {
  readonly #fleet: PlanGround;
  readonly #ground: LaunchGround;

  constructor(fleet: PlanGround) {
    const { self, env, cwd, places } = fleet;
    this.#fleet = fleet;
    this.#ground = { self, env, cwd, run: places.run, secretFile: places.secret };
  }

  /** Every process in the order of a start: prefill, decode, router. Ports that the system picks stand as 0. */
  specs(): readonly ProcessSpec[] {
    const engines = instances(this.#fleet.config);
    const of = (role: string): string[] => engines.filter(({ engine }) => engine.role === role).map(({ name }) => name);
    return [...of("prefill"), ...of("decode"), ...of("both"), "router"].map((name) => this.spec(name));
  }

  /**
   * How to start this one. `known` is where it was reached before: a port that the configuration leaves open stays
   * the same over restarts.
   */
  spec(name: string, known?: Ready): ProcessSpec {
    const { config, models } = this.#fleet;
    const ground = this.#ground;
    if (name === "router") return routerSpec({ config: withPort(config, known), ground });
    const one = instances(config).find((instance) => instance.name === name);
    if (one === undefined) throw new BugError(`no engine is named ${name}`);
    const ports = {
      port: one.port === 0 ? portOf(known?.url) : one.port,
      bootstrapPort: one.bootstrapPort === 0 ? (known?.bootstrapPort ?? 0) : one.bootstrapPort,
    };
    return engineSpec({ ...one, ...ports }, { config, model: models[name] ?? "", ground });
  }

  /** The host that an engine's ports are on. */
  host(name: string): string {
    return instances(this.#fleet.config).find((instance) => instance.name === name)?.engine.host ?? "127.0.0.1";
  }
}

function withPort(config: FleetConfig, known: Ready | undefined): FleetConfig {
  const listen = addressOf(config.router.listen);
  if (listen === undefined || listen.port !== 0) return config;
  return { ...config, router: { ...config.router, listen: addressText({ ...listen, port: portOf(known?.url) }) } };
}

function portOf(url: string | undefined): number {
  return url === undefined ? 0 : Number(new URL(url).port);
}
