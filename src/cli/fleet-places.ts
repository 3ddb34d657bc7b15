import { readdirSync } from "node:fs";
import { join } from "node:path";
import { PdctlError } from "../contract/errors.ts";
import { isName, nameRule } from "../contract/name.ts";
import {
  fleetsFolder,
  type Places,
  placesOf,
  type Surroundings,
  socketPathBytesMax,
  socketPathTooLong,
} from "../lib/places.ts";

/** What the user said about which fleet: --fleet and --socket. */
export type FleetChoice = { readonly fleet: string | undefined; readonly socket: string | undefined };

/** The places of a fleet that is to be started. */
export function placesToStart(fleet: string, around: Surroundings, socket: string | undefined): Places {
  return checked(placesOf(named(fleet), around, socket));
}

/** The places of the fleet that a command speaks to: the one named, or the only one that has left a trace. */
export function placesToAsk({ fleet, socket }: FleetChoice, around: Surroundings): Places {
  if (fleet !== undefined) return placesToStart(fleet, around, socket);
  if (socket !== undefined || around.env["PDCTL_SOCKET"]) return checked(placesOf("default", around, socket));
  const known = knownFleets(around);
  if (known.length > 1) {
    throw new PdctlError(
      "usage",
      `Several fleets have been started here: ${known.join(", ")}.`,
      `name one with --fleet, for example --fleet ${known[0]}`,
    );
  }
  return checked(placesOf(known[0] ?? "default", around));
}

// A fleet counts while a record lies in its run folder, of its daemon or of anybody else: a clean end takes all away.
function knownFleets(around: Surroundings): string[] {
  const folder = fleetsFolder(around);
  return entries(folder)
    .filter((name) => isName(name) && entries(join(folder, name, "run")).some(isRecord))
    .sort();
}

function isRecord(file: string): boolean {
  return file.endsWith(".json") && !file.startsWith(".");
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR", "EACCES"].includes(String(error.code)))
      return [];
    throw error;
  }
}

// Folders and the socket are called by it: a path in its place would lead out of the fleets' folder.
function named(fleet: string): string {
  if (isName(fleet)) return fleet;
  throw new PdctlError(
    "usage",
    `The name of a fleet must be ${nameRule}; found ${JSON.stringify(fleet)}.`,
    "--fleet demo; a socket elsewhere goes with --socket",
  );
}

function checked(places: Places): Places {
  if (!socketPathTooLong(places.socket)) return places;
  const bytes = Buffer.byteLength(places.socket);
  throw new PdctlError(
    "place-invalid",
    `The socket path ${places.socket} has ${bytes} bytes; the system allows ${socketPathBytesMax}.`,
    "give a shorter one with --socket, or set PDCTL_HOME to a shorter folder",
  );
}
