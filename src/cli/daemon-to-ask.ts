import { DaemonClient } from "../client/daemon-client.ts";
import { type FleetChoice, placesToAsk } from "./fleet-places.ts";
import { surroundings } from "./surroundings.ts";

/** The daemon of the fleet that the command line means. */
export function daemonToAsk(choice: FleetChoice, limits: { readonly limitMs?: number } = {}): DaemonClient {
  return new DaemonClient(placesToAsk(choice, surroundings()).socket, limits);
}
