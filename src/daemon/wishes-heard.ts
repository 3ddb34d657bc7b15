import type { Action } from "../contract/action.ts";
import type { FleetConfig } from "../contract/config.ts";
import type { Verdict } from "../contract/verdict.ts";
import type { Wish } from "../contract/wishes.ts";
import type { Wished } from "./api/parts.ts";
import { operatorAction } from "./healer/operator-action.ts";
import { isRefused } from "./healer/situation.ts";
import { type Desired, type FleetState, situationOf, withActions } from "./state.ts";

type Ground = { readonly verdicts: readonly Verdict[]; readonly config: FleetConfig; readonly nowMs: number };

export type Heard = {
  readonly state: FleetState;
  readonly actions: readonly Action[];
  /** What each wish is answered, in their order. */
  readonly answers: readonly Wished[];
};

/** The state with what people asked for, and the actions that carry it out. */
export function heard(before: FleetState, asked: readonly Wish[], ground: Ground): Heard {
  const actions: Action[] = [];
  const answers: Wished[] = [];
  let state = before;
  // One by one: each counts with those before it.
  for (const wish of asked) {
    const action = operatorAction(wish, situationOf(state, ground));
    if (isRefused(action)) {
      answers.push(action);
      continue;
    }
    actions.push(action);
    state = withActions({ ...state, desired: desiredAfter(state.desired, wish) }, { ...ground, actions: [action] });
    answers.push({ kind: "accepted", action: action.id });
  }
  return { state, actions, answers };
}

// A later wish to stop may only hurry.
function desiredAfter(before: Desired, wish: Wish): Desired {
  if (wish.kind !== "stop") return before;
  if (before.wish === "down") return { ...before, now: before.now || wish.now };
  return { wish: "down", drainMs: wish.drainMs, now: wish.now };
}
