import type { Policy } from "../../src/daemon/detector/view.ts";
import type { ReplayLine } from "../../src/daemon/recording/replay-line.ts";
import { replay } from "../../src/daemon/replay.ts";

export async function decisions(lines: readonly string[], policy?: Policy): Promise<readonly ReplayLine[]> {
  const all: ReplayLine[] = [];
  for await (const line of replay(lines, policy)) all.push(line);
  return all;
}

/** "60 edge P1:D1 wedge(transfer-stall)": the verdicts of one subject, in order. */
export function verdictsOf(all: readonly ReplayLine[], subject: string): readonly string[] {
  return all.flatMap((line) =>
    line.kind === "verdict" && line.subject === subject
      ? [`${line.t} ${line.verdict}${line.cause === undefined ? "" : `(${line.cause})`}`]
      : [],
  );
}

/** "60 fail request r1": what would be done, in order. */
export function actionsOf(all: readonly ReplayLine[]): readonly string[] {
  return all.flatMap((line) => (line.kind === "action" ? [`${line.t} ${line.action} ${line.target}`] : []));
}

/** Every verdict of every subject that says that something is wrong. */
export function troubles(all: readonly ReplayLine[]): readonly string[] {
  return all.flatMap((line) =>
    line.kind === "verdict" && bad.has(line.verdict)
      ? [`${line.t} ${line.subject} ${line.verdict}${line.cause === undefined ? "" : `(${line.cause})`}`]
      : [],
  );
}

const bad = new Set(["suspect", "wedge", "leak", "storm", "fault", "down", "unknown"]);

export function evidenceOf(all: readonly ReplayLine[], subject: string, verdict: string): readonly string[] {
  for (const line of all)
    if (line.kind === "verdict" && line.subject === subject && line.verdict === verdict) return line.evidence;
  return [];
}
