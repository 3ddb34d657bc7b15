import { DaemonClient } from "../client/daemon-client.ts";
import { PdctlError } from "../contract/errors.ts";
import type { FleetView } from "../contract/fleet.ts";
import { type FleetChoice, placesToAsk } from "./fleet-places.ts";
import { leftAlone } from "./left-alone.ts";
import { surroundings } from "./surroundings.ts";

/** The fleet as its daemon shows it. Where only its processes are left, the error says so. */
export async function askFleet(choice: FleetChoice, signal: AbortSignal): Promise<FleetView> {
  const places = placesToAsk(choice, surroundings());
  try {
    return await new DaemonClient(places.socket).fleet(signal);
  } catch (error) {
    if (!(error instanceof PdctlError) || error.code !== "fleet-not-running") throw error;
    throw leftAlone(places, error) ?? error;
  }
}
