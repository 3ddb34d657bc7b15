import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { z } from "zod";
import { PdctlError } from "../contract/errors.ts";
import { type Instance, instances } from "../contract/instances.ts";
import { type SavedFleet, savedFleetSchema } from "../contract/saved-fleet.ts";
import { spelledConfig } from "../contract/spelled-config.ts";
import type { Places } from "../lib/places.ts";
import { makePrivateFolder, writeWhole } from "../lib/private-files.ts";
import { writeIntent } from "./intent-file.ts";
import { placeError } from "./place-error.ts";
import type { MeantFleet } from "./prepare-fleet.ts";
import { ownProgram } from "./self.ts";

/** Writes down what the fleet is and that it is wished for, for this daemon and for those that come after it. */
export function saveFleet(
  { config, places }: MeantFleet,
  { modelOf, timeoutMs }: { readonly modelOf: (instance: Instance) => string; readonly timeoutMs: number },
): SavedFleet {
  const saved: z.input<typeof savedFleetSchema> = {
    version: 1,
    config: spelledConfig(config),
    models: Object.fromEntries(instances(config).map((one) => [one.name, modelOf(one)])),
    self: ownProgram(),
    cwd: process.cwd(),
    env: inherited(),
    socket: resolve(places.socket),
    startTimeoutMs: timeoutMs,
  };
  try {
    makePrivateFolder(places.state);
    writeWhole(places.saved, `${JSON.stringify(saved)}\n`);
    writeIntent(places, "up");
  } catch (error) {
    throw placeError(error, "set PDCTL_HOME to a folder of your own");
  }
  return savedFleetSchema.parse(JSON.parse(JSON.stringify(saved)));
}

/** What an earlier `up` has written down. */
export function readSavedFleet({ saved, fleet }: Pick<Places, "saved" | "fleet">): SavedFleet {
  try {
    return savedFleetSchema.parse(JSON.parse(readFileSync(saved, "utf8")));
  } catch (cause) {
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    const words = isMissing
      ? `Fleet ${fleet} has never been started here: there is no ${saved}.`
      : `${saved} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`;
    throw new PdctlError("config-unreadable", words, "pdctl up, or pdctl daemon --file pdctl.yaml", { cause });
  }
}

function inherited(): Record<string, string> {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
