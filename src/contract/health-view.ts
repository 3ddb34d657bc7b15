import type { FleetView } from "./fleet.ts";
import type { HealthView, Severity } from "./health.ts";
import { severityOf, worstOf } from "./severity.ts";
import { subjectParts } from "./subject.ts";
import type { Verdict } from "./verdict.ts";
import { verdictWords } from "./verdict-words.ts";

/** What one evaluation of the fleet looks at: the view of the latest tick, its verdicts, and how old they are. */
export type HealthFacts = {
  readonly fleet: FleetView;
  readonly verdicts: readonly Verdict[];
  /** Of the tick; on the monotonic clock. */
  readonly tickMs: number;
  readonly nowMs: number;
};

type Problem = HealthView["problems"][number];

/** The fleet in one status, one sentence and the numbers that go with it. Pure. */
export function healthOf({ fleet, verdicts, tickMs, nowMs }: HealthFacts): HealthView {
  const problems = [
    ...verdicts.flatMap((verdict) => problemOf(verdict, fleet, tickMs)),
    ...stateProblems(fleet, verdicts),
    ...lackingRoles(fleet),
  ];
  const worstFirst = problems.toSorted((a, b) => rank(b) - rank(a));
  const status = worstOf(problems.map((problem) => problem.status));
  return {
    status,
    fleet: fleet.fleet,
    summary: summaryOf(worstFirst, fleet),
    ageS: Math.max(0, nowMs - tickMs) / 1_000,
    problems: worstFirst.slice(0, problemsMax),
    perfdata: perfdataOf(fleet),
  };
}

const problemsMax = 100;
const namedMax = 5;

function rank({ status, subject }: Problem): number {
  const severities: readonly Severity[] = ["OK", "WARNING", "UNKNOWN", "CRITICAL"];
  // What is stuck is named before what waits for it.
  return severities.indexOf(status) * 2 + (subject.startsWith("request ") ? 1 : 0);
}

function problemOf(verdict: Verdict, fleet: FleetView, tickMs: number): readonly Problem[] {
  const { subject, verdict: name, cause, sinceMs, evidence } = verdict;
  const status = isYetToCome(verdict, fleet) ? "WARNING" : severityOf(name, cause, edgeFacts(subject, fleet));
  if (status === "OK") return [];
  return [
    {
      subject,
      status,
      verdict: name,
      ...(cause === undefined ? {} : { cause }),
      forS: Math.round(Math.max(0, tickMs - sinceMs)) / 1_000,
      words: evidence[0] ?? name,
    },
  ];
}

/** Nothing is known of it because its turn in the start of the fleet is not over. */
function isYetToCome({ subject, verdict }: Verdict, { engines, router, state }: FleetView): boolean {
  if (verdict !== "unknown") return false;
  const parts = subjectParts(subject);
  if (parts?.kind === "fleet") return state === "starting";
  const process = parts?.kind === "router" ? router : engines.find((one) => subject === `engine ${one.name}`);
  return process?.state === "stopped" || process?.state === "starting";
}

function edgeFacts(subject: string, { edges, state }: FleetView): { quarantined: boolean; othersServe: boolean } {
  const parts = subjectParts(subject);
  const out = edges.filter(({ quarantined }) => quarantined);
  const quarantined =
    parts?.kind === "edge" && out.some((edge) => edge.prefill === parts.prefill && edge.decode === parts.decode);
  return { quarantined, othersServe: out.length < edges.length && (state === "ready" || state === "degraded") };
}

/** The fleet as a whole, where no verdict says it: it starts, it stops, or it has failed. */
function stateProblems({ state, step }: FleetView, verdicts: readonly Verdict[]): readonly Problem[] {
  const base = { subject: "fleet", forS: 0 };
  switch (state) {
    case "ready":
    case "degraded":
      return [];
    case "starting":
    case "stopping":
      if (verdicts.some(({ verdict }) => verdict === "starting")) return [];
      return [{ ...base, status: "WARNING", verdict: "starting", words: step ?? `the fleet is ${state}` }];
    case "failed":
      if (verdicts.some(({ verdict }) => verdict === "down")) return [];
      return [{ ...base, status: "CRITICAL", verdict: "down", words: step ?? "the fleet has failed" }];
  }
}

/** A role of which no engine takes requests, while the fleet is meant to serve: every request needs one. */
function lackingRoles({ engines, state }: FleetView): readonly Problem[] {
  if (state !== "ready" && state !== "degraded") return [];
  const roles = [...new Set(engines.map(({ role }) => role))];
  return roles.flatMap((role) => {
    const own = engines.filter((one) => one.role === role);
    if (own.some((one) => one.state === "ready")) return [];
    const status = own.some((one) => one.state === "starting") ? "WARNING" : "CRITICAL";
    const words = `no ${role} engine takes requests: ${own.map((one) => `${one.name} is ${one.state}`).join(", ")}`;
    return [{ subject: "fleet", forS: 0, status, verdict: "down", words }];
  });
}

function summaryOf(problems: readonly Problem[], { engines, state }: FleetView): string {
  const [worst] = problems;
  if (worst === undefined) return `${engines.length} engines, ${state}: nothing is stuck`;
  const same = problems.filter((one) => one.status === worst.status);
  const named = same.slice(0, namedMax).map(wordsOf);
  const more = same.length > named.length ? [`and ${same.length - named.length} more`] : [];
  return [...named, ...more].join("; ");
}

function wordsOf({ subject, verdict, cause, forS, words }: Problem): string {
  return `${subject} ${verdictWords({ verdict, cause })} for ${Math.round(forS)} s: ${words}`;
}

/** Only what is known: sums over the engines that say it, the oldest of all ages. */
function perfdataOf({ engines, edges, epoch, incidents }: FleetView): Record<string, number> {
  const loads = engines.flatMap(({ role, load }) => (load === undefined ? [] : [{ role, ...load }]));
  const decodes = loads.filter(({ role }) => role !== "prefill");
  const numbers = {
    inflight: sum(loads.map(({ inflight }) => inflight)),
    inflight_oldest_s: highest(loads.map((load) => load.inflight_oldest_s)),
    bootstrap_queue: sum(loads.map((load) => load.bootstrap_queue)),
    transfer_queue: sum(loads.map((load) => load.transfer_queue)),
    decode_running: sum(decodes.map(({ running }) => running)),
    bootstrap_failed: sum(loads.map((load) => load.bootstrap_failed_total)),
    transfer_failed: sum(loads.map((load) => load.transfer_failed_total)),
    open: sum(edges.map(({ open }) => open)),
    incidents: incidents.filter(({ ended }) => ended === undefined).length,
    epoch,
  };
  return Object.fromEntries(
    Object.entries(numbers).filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
}

function sum(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
}

function highest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
