import type { DaemonClient } from "../client/daemon-client.ts";
import type { Outcome } from "../contract/action.ts";
import { PdctlError } from "../contract/errors.ts";
import { isName } from "../contract/name.ts";
import type { RestartWish, WishAnswer } from "../contract/wishes.ts";
import { outcomeOf, type Watching } from "./carry-out.ts";

/** What the command line asks for. */
export type RestartChoice = {
  readonly engines: readonly string[];
  readonly co: boolean;
  readonly all: boolean;
  readonly force: boolean;
  readonly why: string | undefined;
};

/** Refuses what cannot be meant. */
export function checkedChoice(choice: RestartChoice): RestartChoice {
  const { engines, co, all } = choice;
  const refuse = (words: string, tryThis: string): never => {
    throw new PdctlError("usage", words, tryThis);
  };
  const odd = engines.find((name) => !isName(name));
  if (odd !== undefined) refuse(`"${odd}" is neither a flag nor the name of an engine.`, "pdctl restart --help");
  if (all && !co) refuse("--all goes with --co only.", "pdctl restart --co --all");
  if (all && engines.length > 0) refuse("--all means every engine; name none beside it.", "pdctl restart --co --all");
  if (!all && engines.length === 0) refuse("No engine is named.", "pdctl restart decode, or pdctl restart --co --all");
  return choice;
}

/** What will happen, one sentence. */
export function restartWords({ engines, co, all }: RestartChoice): string {
  if (all) return "All engines restart as one, with a new epoch: begun streams end, unsent requests are sent again.";
  const names = engines.join(", ");
  if (co) return `${names} and whoever is bound to them restart as one, with a new epoch: begun streams end.`;
  return `${names} ${engines.length > 1 ? "restart one after the other" : "restarts"}: its open requests fail.`;
}

/** The same as a command line that asks nothing. */
export function restartCommand({ engines, co, all, force, why }: RestartChoice): string[] {
  const flags = [...(co ? ["--co"] : []), ...(all ? ["--all"] : []), ...(force ? ["--force"] : [])];
  return ["pdctl", "restart", ...flags, ...engines, ...(why === undefined ? [] : ["--why", why]), "--yes"];
}

/** Carries it out, one action after the other; the first that does not work throws. */
export async function restart(client: DaemonClient, choice: RestartChoice, watching: Watching): Promise<Outcome[]> {
  const { co, all, engines, force, why } = choice;
  const body: RestartWish = { co, all, force, ...(why === undefined ? {} : { why }) };
  const done = async ({ action }: WishAnswer): Promise<Outcome> => await outcomeOf(client, action, watching);
  if (co) return [await done(await client.restartFleet({ ...body, engines: [...engines] }, watching.signal))];
  const outcomes: Outcome[] = [];
  for (const name of engines) outcomes.push(await done(await client.restartEngine(name, body, watching.signal)));
  return outcomes;
}
