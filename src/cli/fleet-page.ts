import type { EdgeView, FleetView, IncidentLine, ProcessView } from "../contract/fleet.ts";
import { factLines } from "./fact-lines.ts";
import { shownBytes, shownMs } from "./quantities.ts";
import { table } from "./table.ts";
import { verdictText } from "./verdict-words.ts";

/** The fleet for people: itself, its processes, its pairs, what is wrong. What is unknown is a dash or left out. */
export function fleetPage(fleet: FleetView, { wide }: { readonly wide: boolean }): string {
  return [
    factLines(facts(fleet)),
    processTable([...fleet.engines, fleet.router], { wide }),
    fleet.edges.length === 0 ? "" : edgeTable(fleet.edges),
    incidentsTable(fleet.incidents),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function facts(fleet: FleetView): [string, string | undefined][] {
  const { daemon, watchdog, verdictOf } = fleet;
  const tick = daemon.tickAgeS === undefined ? "" : `, last tick ${shownMs(daemon.tickAgeS * 1_000)} ago`;
  const seen = watchdog && `process ${watchdog.pid}, seen ${shownMs(watchdog.last_seen_s * 1_000)} ago`;
  const said = verdictText(fleet.verdict, fleet.cause);
  const worst = said && (verdictOf === undefined || verdictOf === "fleet" ? said : `${said} of ${verdictOf}`);
  return [
    ["Fleet", `${fleet.fleet}, ${fleet.state}, epoch ${fleet.epoch}, model ${fleet.model}`],
    ["Doing", fleet.step],
    ["Verdict", worst],
    ["URL", fleet.url],
    ["Metrics", fleet.metrics],
    ["Daemon", `process ${daemon.pid}, since ${daemon.since}${tick}`],
    ["Watchdog", seen ?? "none is seen"],
    ["Restricted", fleet.restricted],
  ];
}

function processTable(processes: readonly ProcessView[], { wide }: { readonly wide: boolean }): string {
  const headings = ["PROCESS", "ROLE", "STATE", "VERDICT", "PID", "GEN", "QUEUED", "RUNNING", "INFLIGHT", "NOTE"];
  const more = ["DRIVER", "URL", "RESTARTS", "KV", "MEMORY", "SAMPLE"];
  return table(
    wide ? [...headings, ...more] : headings,
    processes.map((one) => (wide ? [...cells(one), ...moreCells(one)] : cells(one))),
  );
}

function cells({ name, role, state, verdict, cause, pid, generation, load, failure }: ProcessView): Cell[] {
  const inflight = load?.inflight_oldest_s;
  const age = inflight === undefined ? "" : ` (${shownMs(inflight * 1_000)})`;
  const queued = sum([load?.bootstrap_queue, load?.waiting, load?.prealloc_queue]);
  return [
    ...[name, role, state, verdictText(verdict, cause), shown(pid), shown(generation), shown(queued)],
    ...[shown(load?.running), load?.inflight === undefined ? undefined : `${load.inflight}${age}`, failure ?? ""],
  ];
}

function moreCells({ driver, url, restarts, load, sampleAgeS }: ProcessView): Cell[] {
  return [
    ...[driver, url, shown(restarts)],
    load?.kv_usage === undefined ? undefined : `${Math.round(load.kv_usage * 100)} %`,
    load?.rss_bytes === undefined ? undefined : shownBytes(load.rss_bytes),
    sampleAgeS === undefined ? undefined : `${shownMs(sampleAgeS * 1_000)} old`,
  ];
}

function edgeTable(edges: readonly EdgeView[]): string {
  return table(
    ["EDGE", "VERDICT", "OPEN", "ANSWERED", "TRIED", "NOTE"],
    edges.map(({ prefill, decode, verdict, cause, open, okTotal, attemptsTotal, quarantined }) => [
      ...[`${prefill} → ${decode}`, verdictText(verdict, cause), shown(open), shown(okTotal), shown(attemptsTotal)],
      quarantined ? "takes no new requests" : "",
    ]),
  );
}

/** Incidents, one a line. */
export function incidentsTable(incidents: readonly IncidentLine[]): string {
  if (incidents.length === 0) return "No incidents.\n";
  return table(
    ["INCIDENT", "SUBJECT", "VERDICT", "SINCE", "ENDED", "DONE"],
    incidents.map(({ id, subject, verdict, cause, since, ended, done }) => [
      ...[id, subject, verdictText(verdict, cause), since, ended, done && shortened(done)],
    ]),
  );
}

// pdctl inspect incident has all of it.
const wordsMax = 80;

function shortened(words: string): string {
  return words.length > wordsMax ? `${words.slice(0, wordsMax - 1)}…` : words;
}

type Cell = string | undefined;

function shown(value: number | undefined): Cell {
  return value === undefined ? undefined : String(value);
}

// Unknown stays unknown: only what is known is added up.
function sum(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
}
