import type { Incident } from "../contract/incident.ts";
import { factLines } from "./fact-lines.ts";
import { shownMs } from "./quantities.ts";
import { remedies } from "./remedies.ts";
import { table } from "./table.ts";
import { verdictPage, verdictText } from "./verdict-words.ts";

/** One incident for people: what was seen, concluded and done, in order, and what is left to do. */
export function incidentPage(incident: Incident): string {
  const { verdicts, actions } = incident;
  return [
    factLines(facts(incident)),
    ...verdicts.map(({ at, verdict }) => `${at}\n${verdictPage(verdict)}`),
    ...(actions.length === 0 ? [] : [actionsTable(actions)]),
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

function actionsTable(actions: Incident["actions"]): string {
  return table(
    ["AT", "ACTION", "TARGET", "BY", "OUTCOME", "WHY"],
    actions.map(({ at, action, outcome }) => [
      ...[at, action.action, action.target, action.by],
      outcome === undefined ? "goes on" : `${outcome.outcome}: ${outcome.words}`,
      action.why,
    ]),
  );
}
