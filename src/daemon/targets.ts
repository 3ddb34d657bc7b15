import type { Target } from "./poller/target.ts";
import { isThere } from "./supervisor/process-table.ts";
import type { SupervisorView } from "./supervisor/supervisor.ts";

/** Whom the poller looks at: every process of the fleet, also one that is not there. */
export function targetsOf({ processes }: SupervisorView): Target[] {
  return processes.map((entry) => {
    const { name, role, driver } = entry.spec;
    const { state, generation, members, ready } = entry;
    const url = isThere(entry) && ready !== undefined ? { url: ready.url } : {};
    return { name, role, driver, state, generation, members, ...url };
  });
}
