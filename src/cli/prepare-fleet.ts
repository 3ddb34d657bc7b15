import type { Instance } from "../contract/instances.ts";
import type { Places, Surroundings } from "../lib/places.ts";
import { type ChosenConfig, type ConfigChoice, chooseConfig } from "./choose-config.ts";
import { fleetModels } from "./fleet-models.ts";
import { placesToStart } from "./fleet-places.ts";
import { heldProcesses } from "./held-processes.ts";
import { idleKeysWords } from "./idle-keys.ts";
import type { Talk } from "./models.ts";
import { checkRouterPort } from "./start-checks.ts";

/** The fleet that the command line and the configuration mean. */
export type MeantFleet = ChosenConfig & { readonly places: Places };

export function meantFleet(
  choice: ConfigChoice & { readonly socket: string | undefined },
  around: Surroundings,
): MeantFleet {
  const chosen = chooseConfig(choice, around.env);
  return { ...chosen, places: placesToStart(chosen.config.fleet, around, choice.socket) };
}

/** What has to be right before the first process starts: the port, and a model on this machine. */
export async function readyToStart(
  { config, keys, from, places }: MeantFleet,
  around: Surroundings,
  talk: Talk,
): Promise<(instance: Instance) => string> {
  talk.say(`fleet      ${config.fleet}, from ${from}`);
  for (const line of idleKeysWords(keys)) talk.say(line);
  // A fleet whose daemon is gone goes on: its router holds the port by right.
  if (heldProcesses(places).length === 0) await checkRouterPort(config);
  return await fleetModels(config, around, talk);
}
