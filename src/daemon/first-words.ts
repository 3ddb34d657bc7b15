import type { Happening } from "./event-log.ts";
import type { Organs } from "./organs.ts";
import type { FleetState } from "./state.ts";

/** What a daemon has to tell when it begins: that it is there, what it has found, and what is not as it should be. */
export function firstWords(
  { view, restricted, desired }: FleetState,
  {
    journal,
    exporter,
  }: { readonly journal: Pick<Organs["journal"], "unread">; readonly exporter: Pick<Organs["exporter"], "warning"> },
): Happening[] {
  const found = view.processes.filter(({ state }) => state !== "stopped").map(({ spec }) => spec.name);
  const adopted = found.length === 0 ? "" : `; it has taken over ${found.join(", ")}`;
  const warnings = [
    { subject: "journal", words: restricted?.words ?? journal.unread },
    { subject: "metrics", words: exporter.warning },
  ];
  return [
    { kind: "state", subject: "daemon", words: `runs as process ${process.pid}${adopted}`, severity: "ok" },
    ...warnings.flatMap(({ subject, words }): Happening[] =>
      words === undefined ? [] : [{ kind: "state", subject, words, severity: "warning" }],
    ),
    ...(desired.wish === "down" ? [wantedDown] : []),
  ];
}

const wantedDown: Happening = {
  kind: "state",
  subject: "fleet",
  words: "it is wanted down: pdctl up starts it",
  severity: "ok",
};
