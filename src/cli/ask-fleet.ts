import { DaemonClient } from "../client/daemon-client.ts";
import { PdctlError } from "../contract/errors.ts";
import type { FleetView } from "../contract/fleet.ts";
import { type FleetChoice, placesToAsk } from "./fleet-places.ts";
import { heldProcesses } from "./held-processes.ts";
import { knownProcess } from "./known-process.ts";
import { surroundings } from "./surroundings.ts";

/** The fleet as its daemon shows it. Where only its processes are left, the error says so. */
export async function askFleet(choice: FleetChoice, signal: AbortSignal): Promise<FleetView> {
  const places = placesToAsk(choice, surroundings());
  try {
    return await new DaemonClient(places.socket).fleet(signal);
  } catch (error) {
    if (!(error instanceof PdctlError) || error.code !== "fleet-not-running") throw error;
    const names = heldProcesses(places).map(({ name }) => name);
    if (names.length === 0) throw error;
    throw new PdctlError(
      "fleet-not-running",
      `No daemon of fleet ${places.fleet} runs, but these of its processes do: ${names.join(", ")}.`,
      knownProcess(places, "watchdog") === undefined
        ? "pdctl up starts a daemon that takes them over; pdctl down ends them"
        : "the watchdog starts a daemon that takes them over; pdctl down ends them",
      { cause: error },
    );
  }
}
