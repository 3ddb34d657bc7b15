import type { FleetView } from "../../contract/fleet.ts";
import { verdictWords } from "../../contract/verdict-words.ts";
import { clean } from "../cells.ts";
import { type Line, type Span, span } from "../line.ts";
import { shortBytes, shortMs, shortSeconds } from "../short.ts";
import { silenceMs, type TopState } from "../state.ts";
import { severitySpan, verdictSpan } from "../tone.ts";

const between = span("  ");

/** What the fleet is and how it goes; who watches; and what a reader must know before all else. */
export function headingLines(state: TopState): Line[] {
  const { fleet, host } = state.shown.view;
  return [fleetLine(fleet, state), watchersLine(fleet, host), ...notices(state)];
}

function fleetLine(fleet: FleetView, { paused }: TopState): Line {
  return joined([
    span(clean(fleet.fleet), "strong"),
    stateSpan(fleet.state),
    span(`epoch ${fleet.epoch}`),
    worstSpan(fleet),
    ...(paused ? [span("HELD (p goes on)", "warn")] : []),
    span(clean(fleet.model), "dim"),
  ]);
}

// As `health` names it: the worst that is said of anything in the fleet.
function worstSpan(fleet: FleetView): Span {
  const { verdict, cause, severity, verdictOf } = fleet;
  if (verdict === undefined || severity === undefined) return verdictSpan(fleet);
  const of = verdictOf === undefined || verdictOf === "fleet" ? "" : ` of ${clean(verdictOf)}`;
  return severitySpan(`${verdictWords({ verdict, cause })}${of}`, severity);
}

function stateSpan(state: FleetView["state"]): Span {
  switch (state) {
    case "ready":
      return severitySpan("ready", "OK");
    case "starting":
    case "stopping":
    case "degraded":
      return severitySpan(state, "WARNING");
    case "failed":
      return severitySpan("failed", "CRITICAL");
  }
}

function watchersLine({ daemon, watchdog, url }: FleetView, host: TopState["shown"]["view"]["host"]): Line {
  const tick = daemon.tickAgeS === undefined ? "" : ` (tick ${shortSeconds(daemon.tickAgeS)} ago)`;
  const { loadPercent, memoryUsedBytes, memoryBytes } = host;
  return joined([
    span(`daemon ${daemon.pid}${tick}`),
    watchdog === undefined
      ? span("no watchdog", "warn")
      : span(`watchdog ${watchdog.pid} (seen ${shortSeconds(watchdog.last_seen_s)} ago)`),
    ...(url === undefined ? [] : [span(url, "dim")]),
    ...(loadPercent === undefined ? [] : [span(`load ${Math.round(loadPercent)}%`, "dim")]),
    ...(memoryUsedBytes === undefined
      ? []
      : [span(`memory ${shortBytes(memoryUsedBytes)} of ${shortBytes(memoryBytes)}`, "dim")]),
  ]);
}

function notices(state: TopState): Line[] {
  const { step, restricted } = state.shown.view.fleet;
  const silentMs = silenceMs(state);
  return [
    silentMs === undefined
      ? undefined
      : severitySpan(`the daemon does not answer since ${shortMs(silentMs)}; what is shown here is old`, "CRITICAL"),
    step === undefined ? undefined : span(`→ ${clean(step)}`, "strong"),
    restricted === undefined ? undefined : severitySpan(clean(restricted), "WARNING"),
  ].flatMap((notice) => (notice === undefined ? [] : [[notice]]));
}

function joined(spans: readonly Span[]): Line {
  return spans.flatMap((one, index) => (index === 0 ? [one] : [between, one]));
}
