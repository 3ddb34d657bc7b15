import type { IncidentLine } from "../../contract/fleet.ts";
import { verdictWords } from "../../contract/verdict-words.ts";
import { clean } from "../cells.ts";
import { type Line, span } from "../line.ts";
import { dash, shortMs } from "../short.ts";
import type { TopState } from "../state.ts";
import { verdictSpan } from "../tone.ts";

/** What went wrong and is not over, the newest first; then what is. */
export function incidentLines({ shown, now }: TopState): Line[] {
  const { incidents } = shown.view.fleet;
  if (incidents.length === 0) return [];
  const open = incidents.filter(({ ended }) => ended === undefined);
  const over = incidents.filter(({ ended }) => ended !== undefined);
  const heading = [span(`INCIDENTS  ${open.length} open`, "dim")];
  return [heading, ...[...newestFirst(open), ...newestFirst(over)].map((one) => incidentLine(one, now.wallMs))];
}

function newestFirst(incidents: readonly IncidentLine[]): IncidentLine[] {
  return [...incidents].sort((a, b) => Date.parse(b.since) - Date.parse(a.since));
}

function incidentLine({ id, subject, since, ended, done, ...judged }: IncidentLine, wallMs: number): Line {
  const what = [clean(id), clean(subject)].join("  ");
  const when =
    ended === undefined
      ? `for ${ago(since, wallMs)}`
      : `ended ${ago(ended, wallMs)} ago after ${ago(since, Date.parse(ended))}`;
  const deed = done === undefined ? [] : [span(`  ${clean(done)}`, ended === undefined ? "plain" : "dim")];
  return ended === undefined
    ? [verdictSpan(judged), span(`  ${what}  ${when}`), ...deed]
    : [span(`  ${verdictWords(judged)}  ${what}  ${when}`, "dim"), ...deed];
}

function ago(date: string, wallMs: number): string {
  const ms = wallMs - Date.parse(date);
  return Number.isNaN(ms) ? dash : shortMs(ms);
}
