import { resolve } from "node:path";
import type { FleetConfig } from "../contract/config.ts";
import { BugError } from "../contract/errors.ts";
import { type Instance, instances } from "../contract/instances.ts";
import { knownModel } from "../contract/models.ts";
import type { Surroundings } from "../lib/places.ts";
import { cacheFile, resolveModel, type Talk } from "./models.ts";

/** Finds or fetches every model that the fleet's engines name. Returns the path by engine. */
export async function fleetModels(
  config: FleetConfig,
  around: Surroundings,
  talk: Talk,
): Promise<(instance: Instance) => string> {
  const paths = new Map<string, string>();
  // One after the other: two engines with the same model wait for one fetch.
  for (const name of new Set(instances(config).map((one) => nameOf(config, one))))
    paths.set(name, await resolveModel(name, around, talk));
  return (instance) => {
    const path = paths.get(nameOf(config, instance));
    if (path === undefined) throw new BugError(`no path is known for the model of ${instance.name}`);
    return path;
  };
}

/** The same without fetching anything or looking: where each model would lie. */
export function plannedModels(config: FleetConfig, around: Surroundings): (instance: Instance) => string {
  return (instance) => {
    const name = nameOf(config, instance);
    const known = knownModel(name);
    return known === undefined ? resolve(name) : cacheFile(known, around).path;
  };
}

function nameOf(config: FleetConfig, { engine }: Instance): string {
  return engine.model ?? config.model;
}
