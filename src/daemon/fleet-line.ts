import type { FleetConfig } from "../contract/config.ts";
import { instances } from "../contract/instances.ts";
import type { FleetLine, Watched } from "../contract/observation.ts";
import { spelledPolicy } from "../contract/spelled-config.ts";

/** The first line of a recording of this fleet: who there is, and by which policy it is watched. */
export function fleetLineOf(config: FleetConfig): FleetLine {
  const engines = instances(config).map(({ name, engine }): Watched => {
    const attached = engine.url === undefined ? {} : { attached: true, control: engine.control !== undefined };
    return { id: name, role: engine.role, driver: engine.driver, ...attached };
  });
  const router: Watched = { id: "router", role: "router", driver: config.router.driver };
  return {
    kind: "fleet",
    version: 1,
    engines: [...engines, router],
    policy: { ...spelledPolicy(config.policy) },
    // How long an engine may take until it is ready; the detector calls it starting for no longer.
    facts: { start_timeout_s: config.deadlines.start / 1_000 },
  };
}
