import type { Action } from "../../contract/action.ts";
import { canaries } from "./canaries.ts";
import { numbered } from "./draft.ts";
import { ladder } from "./ladder.ts";
import type { Situation } from "./situation.ts";
import { wishDrafts } from "./wish.ts";

/** What to do now: the answers to the verdicts, and what the wish that the fleet is up or down still takes. Pure. */
export function plan(situation: Situation): readonly Action[] {
  return numbered([...ladder(situation), ...wishDrafts(situation), ...canaries(situation)], situation);
}
