import type { Verdict } from "../../contract/verdict.ts";
import { climb } from "./climb.ts";
import type { Draft } from "./draft.ts";
import { notice } from "./draft.ts";
import { enginesAtWork, settling } from "./open.ts";
import { placeOf } from "./place.ts";
import { remedyOf } from "./remedy.ts";
import type { Situation } from "./situation.ts";
import { toldKey } from "./told.ts";

/** What the verdicts of this tick lead to. Nothing where the fleet is not wanted up, or while all of it is moved. */
export function ladder(situation: Situation): readonly Draft[] {
  if (situation.desired.wish !== "up" || settling(situation)) return [];
  const atWork = enginesAtWork(situation);
  const byPlace = new Map<string, Verdict[]>();
  for (const verdict of situation.verdicts) {
    if (remedyOf(verdict).kind === "none" || verdict.engines.some((name) => atWork.has(name))) continue;
    if (isOfTheWish(verdict, situation)) continue;
    const place = placeOf(verdict);
    byPlace.set(place, [...(byPlace.get(place) ?? []), verdict]);
  }
  const drafts = [...byPlace].flatMap(([place, verdicts]) => answersAt(place, verdicts, situation));
  return oneOfEach(drafts.filter((draft) => !isToldAlready(draft, situation)));
}

/** What has ended is started again because the fleet is wanted up, whatever verdicts may lead to. */
function isOfTheWish({ verdict, subject, engines }: Verdict, { processes }: Situation): boolean {
  if (verdict !== "down") return false;
  return processes.some(
    ({ name, role, attached, state }) =>
      !attached && state !== "ready" && (subject === "router" ? role === "router" : engines.includes(name)),
  );
}

function answersAt(place: string, verdicts: readonly Verdict[], situation: Situation): readonly Draft[] {
  const told = verdicts.flatMap((verdict) => {
    const remedy = remedyOf(verdict);
    return remedy.kind === "tell" && isOldEnough(verdict, situation) ? [notice(verdict, remedy.words)] : [];
  });
  const treated = verdicts.filter((verdict) => remedyOf(verdict).kind === "ladder" && verdict.fresh);
  return [...told, ...climb(place, treated, situation)];
}

/** A scrape may get lost: people are told of missing data only when it stays away. */
function isOldEnough({ verdict, sinceMs }: Verdict, { policy, nowMs }: Situation): boolean {
  return verdict !== "unknown" || nowMs - sinceMs >= policy.wedge;
}

function isToldAlready(draft: Draft, { ledger }: Situation): boolean {
  return draft.action === "notify" && ledger.told[toldKey(draft)] !== undefined;
}

/** Two places may ask for the same thing: one engine is restarted once. */
function oneOfEach(drafts: readonly Draft[]): readonly Draft[] {
  const seen = new Map(drafts.toReversed().map((draft) => [`${draft.action} ${draft.target}`, draft]));
  return drafts.filter((draft) => seen.get(`${draft.action} ${draft.target}`) === draft);
}
