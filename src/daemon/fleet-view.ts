import type { EngineDetail } from "../contract/engine-detail.ts";
import type { EdgeView, EngineLoad, FleetView, IncidentLine, ProcessView } from "../contract/fleet.ts";
import { healthOf } from "../contract/health-view.ts";
import type { Sample } from "../contract/observation.ts";
import type { Subject } from "../contract/subject.ts";
import type { Verdict } from "../contract/verdict.ts";
import type { Clock } from "../lib/clock.ts";
import { defined } from "../lib/defined.ts";
import { startsOf } from "./healer/budget.ts";
import type { KeptIncident } from "./journal/page.ts";
import { isCalm } from "./happenings.ts";
import type { FleetState } from "./state.ts";
import { type ProcessEntry, processView } from "./supervisor/process-table.ts";

/** What does not change while the daemon runs, and what others know. */
export type ViewGround = Pick<FleetView, "fleet" | "model"> & {
  readonly daemon: Pick<FleetView["daemon"], "pid" | "since">;
  readonly policy: Parameters<typeof startsOf>[1]["policy"];
  readonly logFileOf: (name: string) => string;
  readonly clock: Clock;
  /** host:port of the metrics, while somebody can read them. */
  readonly metrics: () => string | undefined;
  readonly watchdog: () => FleetView["watchdog"];
};

/** GET /v1/fleet: the state as people and scripts see it. */
export function fleetView(state: FleetState, ground: ViewGround): FleetView {
  const { view, verdicts, book, restricted, tickMs } = state;
  const bySubject = new Map(verdicts.map((one) => [one.subject, one]));
  const shown = view.processes.map((entry) => shownProcess(entry, state, { bySubject, ground }));
  const router = shown.find(({ role }) => role === "router") ?? noRouter;
  const tickAgeS = tickMs === undefined ? {} : { tickAgeS: Math.max(0, ground.clock.nowMs() - tickMs) / 1_000 };
  const { fleet, model, metrics, watchdog } = ground;
  const shownFleet: FleetView = {
    fleet,
    model,
    state: phaseOf(state),
    epoch: view.epoch,
    daemon: { ...ground.daemon, ...tickAgeS },
    ...defined({ step: stepOf(state), url: router.url, metrics: metrics(), watchdog: watchdog() }),
    ...said(bySubject.get("fleet")),
    engines: shown.filter(({ role }) => role !== "router"),
    router,
    edges: edgesOf(state, bySubject),
    incidents: [...book.open.toReversed(), ...lately(book, ground.clock.wallMs())].map(incidentLine),
    ...(restricted === undefined ? {} : { restricted: restricted.words }),
  };
  return withWorst(shownFleet, state, ground);
}

// Whoever reads one line of it reads what `health` would name first.
function withWorst(fleet: FleetView, { verdicts, tickMs }: FleetState, { clock }: ViewGround): FleetView {
  const nowMs = clock.nowMs();
  const [worst] = healthOf({ fleet, verdicts, tickMs: tickMs ?? nowMs, nowMs }).problems;
  if (worst === undefined) return fleet.verdict === undefined ? fleet : { ...fleet, severity: "OK" };
  const { verdict, cause, status, subject } = worst;
  const { cause: _own, ...rest } = fleet;
  return { ...rest, verdict, ...defined({ cause }), severity: status, verdictOf: subject };
}

/** GET /v1/engines/{name}. */
export function engineDetail(state: FleetState, name: string, ground: ViewGround): EngineDetail | undefined {
  const entry = state.view.processes.find(({ spec }) => spec.name === name);
  if (entry === undefined) return undefined;
  const bySubject = new Map(state.verdicts.map((one) => [one.subject, one]));
  const own = subjectOf(entry);
  const concerns = ({ subject, engines }: Verdict): boolean => subject === own || engines.includes(name);
  return {
    ...shownProcess(entry, state, { bySubject, ground }),
    logFile: ground.logFileOf(name),
    verdicts: state.verdicts.filter((one) => !isCalm(one) && concerns(one)),
    incidents: [...state.book.open.toReversed(), ...state.book.ended]
      .filter(({ subjects, engines }) => subjects.includes(own) || engines.includes(name))
      .map(incidentLine),
  };
}

function incidentLine({ id, subject, verdict, cause, since, ended, done }: KeptIncident): IncidentLine {
  return { id, subject, verdict, since, ...defined({ cause, ended, done }) };
}

// What has ended stays in sight for a while: whoever comes looks for it.
const endedShownMs = 3_600_000;
const endedShownMax = 10;

function lately({ ended }: FleetState["book"], wallMs: number): readonly KeptIncident[] {
  return ended.filter((one) => wallMs - Date.parse(one.ended ?? "") < endedShownMs).slice(0, endedShownMax);
}

const noRouter: ProcessView = { name: "router", role: "router", driver: "none", state: "stopped", generation: 0 };

function phaseOf({ desired, view, rise }: FleetState): FleetView["state"] {
  if (desired.wish === "down") return "stopping";
  if (rise.kind === "failed") return "failed";
  if (rise.kind === "rising") return "starting";
  return view.serves && view.processes.every(({ state }) => state === "ready") ? "ready" : "degraded";
}

function stepOf({ view, rise }: FleetState): string | undefined {
  return view.operation?.words ?? (rise.kind === "failed" ? rise.words.split("\n")[0] : undefined);
}

type Known = { readonly bySubject: ReadonlyMap<Subject, Verdict>; readonly ground: ViewGround };

function shownProcess(entry: ProcessEntry, state: FleetState, { bySubject, ground }: Known): ProcessView {
  const { name, role } = entry.spec;
  const sample = state.samples.get(name);
  const restarts = startsOf(role === "router" ? "router" : name, { ledger: state.ledger, policy: ground.policy });
  return {
    ...processView(entry),
    ...said(bySubject.get(subjectOf(entry))),
    ...(restarts === 0 ? {} : { restarts }),
    ...(sample === undefined
      ? {}
      : { sampleAgeS: Math.max(0, ground.clock.nowMs() / 1_000 - sample.t), load: loadOf(sample) }),
  };
}

function subjectOf({ spec }: ProcessEntry): Subject {
  return spec.role === "router" ? "router" : `engine ${spec.name}`;
}

const loadNames = [
  ...(["bootstrap_queue", "waiting", "running", "inflight", "inflight_oldest_s", "prealloc_queue"] as const),
  ...(["transfer_queue", "kv_usage", "prompt_tokens_total", "generated_tokens_total"] as const),
  ...(["transfer_bytes_total", "bootstrap_failed_total", "transfer_failed_total"] as const),
  ...(["loop_age_s", "cpu_seconds_total", "rss_bytes"] as const),
] as const;

function loadOf(sample: Sample): EngineLoad {
  return Object.fromEntries(loadNames.flatMap((name) => (sample[name] === undefined ? [] : [[name, sample[name]]])));
}

function edgesOf({ view, edges, samples }: FleetState, bySubject: Known["bySubject"]): EdgeView[] {
  const of = (role: string): string[] => view.processes.flatMap(({ spec }) => (spec.role === role ? [spec.name] : []));
  const open = [...samples.values()].find((sample) => sample.open !== undefined)?.open;
  return of("prefill").flatMap((prefill) =>
    of("decode").map((decode) => {
      const line = edges.get(`${prefill}:${decode}`);
      return {
        prefill,
        decode,
        ...said(bySubject.get(`edge ${prefill}:${decode}`)),
        ...defined({
          open: open?.filter((one) => one.prefill === prefill && one.decode === decode).length,
          attemptsTotal: line?.attempts_total,
          okTotal: line?.ok_total,
        }),
        quarantined: view.quarantined.some((one) => one.prefill === prefill && one.decode === decode),
      };
    }),
  );
}

function said(verdict: Verdict | undefined): Pick<ProcessView, "verdict" | "cause"> {
  return verdict === undefined ? {} : { verdict: verdict.verdict, ...defined({ cause: verdict.cause }) };
}
