import type { Action } from "../../contract/action.ts";
import type { Intent } from "../../contract/saved-fleet.ts";
import type { OpenOperation } from "./intents.ts";

export type Resumable = {
  readonly goOn: readonly OpenOperation[];
  readonly unknown: readonly { readonly action: Action; readonly words: string }[];
};

/**
 * Which operations of a daemon that crashed are gone on with. They look at the world and do what is missing; anything
 * else has an unknown outcome, is looked at afresh and never done a second time blindly.
 */
export function resumable(open: readonly OpenOperation[], wish: Intent["wish"]): Resumable {
  const stop = open.findLast(({ action }) => action.action === "stop" && action.target === "fleet");
  const goOn = stop === undefined ? open.filter(({ action }) => wish === "up" && reenters(action)) : [stop];
  const rest = open.filter((operation) => !goOn.includes(operation));
  return {
    goOn,
    unknown: rest.map(({ action }) => ({
      action,
      words: reenters(action)
        ? `it had begun when the daemon ended, and the wish is ${stop === undefined ? wish : "down"} by now`
        : "it had begun when the daemon ended; what it did is looked at afresh",
    })),
  };
}

function reenters({ action }: Action): boolean {
  switch (action) {
    case "start":
    case "stop":
    case "restart":
    case "co-restart":
      return true;
    case "fail":
    case "abort":
    case "drain":
    case "quarantine":
    case "shed":
    case "reregister":
    case "notify":
    case "resume":
    case "canary":
      return false;
  }
}
