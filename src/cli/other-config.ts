import { isDeepStrictEqual } from "node:util";
import { PdctlError } from "../contract/errors.ts";
import { spelledConfig } from "../contract/spelled-config.ts";
import type { MeantFleet } from "./prepare-fleet.ts";
import { readSavedFleet } from "./saved-fleet-file.ts";

/** The line that says that a running fleet is not as this command line asks for it; undefined where it is. */
export function otherConfigWords({ config, from, isAsked, places }: MeantFleet): string | undefined {
  if (!isAsked) return undefined;
  try {
    if (isDeepStrictEqual(spelledConfig(config), spelledConfig(readSavedFleet(places).config))) return undefined;
  } catch (error) {
    // Whatever it was started with can no longer be read.
    if (error instanceof PdctlError) return undefined;
    throw error;
  }
  return `fleet      ${places.fleet} runs otherwise than asked for (from ${from}); pdctl down, then pdctl up applies it`;
}
