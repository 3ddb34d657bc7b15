import { DaemonClient } from "../client/daemon-client.ts";
import type { FleetView } from "../contract/fleet.ts";
import type { Surroundings } from "../lib/places.ts";
import { limited } from "../lib/wait.ts";
import { endFleet } from "./end-fleet.ts";
import { type FleetChoice, placesToAsk } from "./fleet-places.ts";
import type { Talk } from "./models.ts";
import { OwnFleet } from "./own-fleet.ts";
import { meantFleet, readyToStart } from "./prepare-fleet.ts";
import { awaitUp, runningFleet, urlOf } from "./running-fleet.ts";

/** A fleet that serves, and what to do when there is nothing more to ask. */
export type FleetToAsk = {
  readonly url: string;
  readonly client: DaemonClient;
  readonly leave: () => Promise<void>;
};

export type AskChoice = FleetChoice & {
  readonly file: string | undefined;
  readonly keep: boolean;
  readonly timeout: number;
};

// More than every grace of a stop together; nothing is open any more.
const leaveLimitMs = 120_000;

/** The fleet that runs, else one of its own. */
export async function fleetToAsk(choice: AskChoice, around: Surroundings, talk: Talk): Promise<FleetToAsk> {
  const places =
    choice.file === undefined
      ? placesToAsk(choice, around)
      : meantFleet({ ...choice, listen: undefined }, around).places;
  const client = new DaemonClient(places.socket);
  const found = await runningFleet(client, talk.signal);
  if (found === undefined) return await ownFleet(choice, around, talk);
  const view = found.state === "starting" ? await up(client, choice.timeout, talk) : found;
  return { url: urlOf(view), client, leave: async () => undefined };
}

async function up(client: DaemonClient, limitMs: number, { signal, say }: Talk): Promise<FleetView> {
  return await awaitUp(client, { limitMs, signal, onStep: say, stillHopeful: () => undefined });
}

async function ownFleet(choice: AskChoice, around: Surroundings, talk: Talk): Promise<FleetToAsk> {
  const meant = meantFleet({ ...choice, listen: "127.0.0.1:0" }, around);
  const { places } = meant;
  await readyToStart(meant, around, talk);
  const flags = (["file", "fleet", "socket"] as const).flatMap((name) => {
    const value = choice[name];
    return value === undefined ? [] : [`--${name}`, value];
  });
  const own = new OwnFleet({ places, flags, keep: choice.keep, limitMs: choice.timeout, ...talk });
  const end = async (): Promise<void> => {
    own.letGo();
    const signal = limited(leaveLimitMs);
    await endFleet(places, { drainMs: 0, now: false, signal, say: () => undefined });
  };
  try {
    const url = urlOf(await own.up());
    const keep = async (): Promise<void> => {
      own.letGo();
      talk.say(
        `fleet      ${meant.config.fleet} goes on at ${url}; pdctl down${choice.fleet === undefined ? "" : ` --fleet ${choice.fleet}`} ends it`,
      );
    };
    return { url, client: new DaemonClient(places.socket), leave: choice.keep ? keep : end };
  } catch (error) {
    await end();
    throw error;
  }
}
