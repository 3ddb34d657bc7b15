import type { FleetConfig } from "../contract/config.ts";
import type { Instance } from "../contract/instances.ts";
import type { Places, Surroundings } from "../lib/places.ts";
import { type ConfigChoice, chooseConfig } from "./choose-config.ts";
import { fleetModels } from "./fleet-models.ts";
import { placesToStart } from "./fleet-places.ts";
import type { Talk } from "./models.ts";
import { checkRouterPort, refuseUnsupported } from "./start-checks.ts";

/** The fleet that the command line and the configuration mean. */
export type MeantFleet = { readonly config: FleetConfig; readonly places: Places; readonly from: string };

export function meantFleet(
  choice: ConfigChoice & { readonly socket: string | undefined },
  around: Surroundings,
): MeantFleet {
  const { config, from } = chooseConfig(choice, around.env);
  refuseUnsupported(config);
  return { config, from, places: placesToStart(config.fleet, around, choice.socket) };
}

/** What has to be right before the first process starts: the port, and a model on this machine. */
export async function readyToStart(
  { config, from }: MeantFleet,
  around: Surroundings,
  talk: Talk,
): Promise<(instance: Instance) => string> {
  talk.say(`fleet      ${config.fleet}, from ${from}`);
  await checkRouterPort(config);
  return await fleetModels(config, around, talk);
}
