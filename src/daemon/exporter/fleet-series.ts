import type { Registry } from "prom-client";
import { verdictNameSchema } from "../../contract/verdict.ts";
import type { Seen, SeenFleet } from "./seen-fleet.ts";
import { gauge, type Point } from "./series.ts";

/** What the daemon concludes, and how well it sees. */
export function fleetSeries(registry: Registry, fleet: SeenFleet): void {
  const labels = ["engine"];
  gauge(registry, {
    name: "pdctl_up",
    help: "Whether an engine or the router answers.",
    labels,
    points: () => fleet.all().map((seen) => [{ engine: seen.view.name }, upOf(seen)]),
  });
  gauge(registry, {
    name: "pdctl_poll_age_seconds",
    help: "How old the latest look at an engine or the router is.",
    labels,
    points: () => fleet.all().map(({ view, ageS }) => [{ engine: view.name }, ageS]),
  });
  gauge(registry, {
    name: "pdctl_verdict",
    help: "1 for what is said of a subject, 0 for what is not.",
    labels: ["subject", "verdict"],
    points: () => verdictPoints(fleet),
  });
  gauge(registry, {
    name: "pdctl_epoch",
    help: "Counts the co-restarts of the fleet.",
    points: () => [[{}, fleet.latest?.fleet.epoch]],
  });
  gauge(registry, {
    name: "pdctl_watchdog_last_seen_seconds",
    help: "How long ago the watchdog showed that it is alive.",
    points: () => {
      const seen = fleet.latest?.fleet.watchdog?.last_seen_s;
      return [[{}, seen === undefined ? undefined : seen + fleet.tickAgeMs / 1_000]];
    },
  });
  gauge(registry, {
    name: "pdctl_tick_age_seconds",
    help: "How long ago the daemon's latest tick was.",
    points: () => [[{}, fleet.latest === undefined ? undefined : fleet.tickAgeMs / 1_000]],
  });
}

function upOf({ view, sample }: Seen): number | undefined {
  if (sample?.health !== undefined) return sample.health === "ok" ? 1 : 0;
  // Nobody looks at what does not run.
  return view.state === "stopped" || view.state === "failed" ? 0 : undefined;
}

/** Never a series a request: there is no end of them. */
function verdictPoints(fleet: SeenFleet): Point[] {
  const verdicts = (fleet.latest?.verdicts ?? []).filter(({ subject }) => !subject.startsWith("request "));
  return verdicts.flatMap(({ subject, verdict }) =>
    verdictNameSchema.options.map((name): Point => [{ subject, verdict: name }, name === verdict ? 1 : 0]),
  );
}
