import type { SavedFleet } from "../contract/saved-fleet.ts";
import type { Places, Surroundings } from "../lib/places.ts";
import { type FleetChoice, placesToStart } from "./fleet-places.ts";
import { preparedFleet } from "./foreground-fleet.ts";
import { meantFleet } from "./prepare-fleet.ts";
import { readSavedFleet } from "./saved-fleet-file.ts";
import type { Starting } from "./start-fleet.ts";

/** The fleet that a daemon is to run: the one of a file, prepared as `up` does, else the one last started. */
export async function daemonFleet(
  choice: FleetChoice & { readonly file: string | undefined },
  around: Surroundings,
  starting: Starting,
): Promise<{ readonly places: Places; readonly saved: SavedFleet }> {
  if (choice.file !== undefined) {
    const meant = meantFleet({ ...choice, listen: undefined }, around);
    return { places: meant.places, saved: await preparedFleet(meant, around, starting) };
  }
  const fleet = choice.fleet ?? "default";
  const saved = readSavedFleet(placesToStart(fleet, around, choice.socket));
  return { places: placesToStart(fleet, around, choice.socket ?? saved.socket), saved };
}
