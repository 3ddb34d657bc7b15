import type { Incident } from "../contract/incident.ts";
import { factLines } from "./fact-lines.ts";
import { shownMs } from "./quantities.ts";
import { remedies } from "./remedies.ts";
import { verdictPage, verdictText } from "./verdict-words.ts";

/** One incident for people: what was seen, concluded and done, in order, and what is left to do. */
export function incidentPage(incident: Incident): string {
  const { verdicts, actions } = incident;
  return [
    factLines(facts(incident)),
    ...verdicts.map(({ at, verdict }) => `${at}\n${verdictPage(verdict)}`),
    ...actions.map(actionPage),
  ].join("\n");
}

function facts(incident: Incident): [string, string | readonly string[] | undefined][] {
  const { id, subject, verdict, cause, since, ended, healSeconds, done, verdicts } = incident;
  const last = verdicts.at(-1)?.verdict;
  return [
    ["Incident", `${id}, ${verdictText(verdict, cause)} of ${subject}`],
    ["Since", since],
    ["Ended", ended ?? "it goes on"],
    ["Healed in", healSeconds === undefined ? undefined : shownMs(healSeconds * 1_000)],
    ["Done", done],
    ["To do", ended === undefined && last !== undefined ? remedies(last) : undefined],
  ];
}

function actionPage({ at, action, outcome }: Incident["actions"][number]): string {
  const { action: name, target, by, why } = action;
  const facts = factLines([
    ["Action", `${name} ${target}, by ${by}`],
    ["Why", why],
    ["Outcome", outcome === undefined ? "it goes on" : [`${outcome.outcome}: ${outcome.words}`, ...outcome.details]],
  ]);
  return `${at}\n${facts}`;
}
