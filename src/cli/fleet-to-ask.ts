import { DaemonClient } from "../client/daemon-client.ts";
import type { Surroundings } from "../lib/places.ts";
import { limited } from "../lib/wait.ts";
import { endFleet } from "./end-fleet.ts";
import { type FleetChoice, placesToAsk } from "./fleet-places.ts";
import { leftAlone } from "./left-alone.ts";
import type { Talk } from "./models.ts";
import { meantFleet } from "./prepare-fleet.ts";
import { runningFleet, urlOf } from "./running-fleet.ts";
import { joined, startFleet } from "./start-fleet.ts";

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
  if (found === undefined) {
    // What it has not started it must not end.
    const left = leftAlone(places);
    if (left !== undefined) throw left;
    return await ownFleet(choice, around, talk);
  }
  const serves = found.state === "ready" || found.state === "degraded";
  const view = serves ? found : await joined(client, found, { ...talk, limitMs: choice.timeout });
  return { url: urlOf(view), client, leave: async () => undefined };
}

// Port 0: a fleet beside others never collides with them. The lifeline ends it however this command ends.
async function ownFleet(choice: AskChoice, around: Surroundings, talk: Talk): Promise<FleetToAsk> {
  const meant = meantFleet({ ...choice, listen: "127.0.0.1:0" }, around);
  const starting = { ...talk, limitMs: choice.timeout, lifeline: !choice.keep };
  const { view, client, isOwn } = await startFleet(meant, around, starting);
  const url = urlOf(view);
  const keep = async (): Promise<void> => {
    const flag = choice.fleet === undefined ? "" : ` --fleet ${choice.fleet}`;
    talk.say(`fleet      ${view.fleet} goes on at ${url}; pdctl down${flag} ends it`);
  };
  const end = async (): Promise<void> => {
    const signal = limited(leaveLimitMs);
    await endFleet(meant.places, { drainMs: 0, now: false, signal, say: () => undefined });
  };
  if (!isOwn) return { url, client, leave: async () => undefined };
  return { url, client, leave: choice.keep ? keep : end };
}
