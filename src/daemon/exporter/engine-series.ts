import type { Registry } from "prom-client";
import type { Sample } from "../../contract/observation.ts";
import type { Seen, SeenFleet } from "./seen-fleet.ts";
import { counter, gauge, type Point } from "./series.ts";

/** What engines say of themselves, and what moves between them. */
export function engineSeries(registry: Registry, fleet: SeenFleet): void {
  const each = (value: (seen: Seen) => number | undefined) => (): Point[] =>
    fleet.engines().map((seen) => [{ engine: seen.view.name }, value(seen)]);
  const labels = ["engine"];
  gauge(registry, {
    name: "pdctl_inflight_requests",
    help: "Requests whose prefill is done and whose KV transfer is not.",
    labels,
    points: each(({ sample }) => sample?.inflight),
  });
  gauge(registry, {
    name: "pdctl_inflight_oldest_seconds",
    help: "How long the oldest inflight request has been inflight; 0 while there is none.",
    labels,
    points: each(({ sample }) => sample?.inflight_oldest_s ?? (sample?.inflight === 0 ? 0 : undefined)),
  });
  gauge(registry, {
    name: "pdctl_decode_running_requests",
    help: "Requests that an engine is decoding.",
    labels,
    points: each(({ view, sample }) => (view.role === "prefill" ? undefined : sample?.running)),
  });
  gauge(registry, {
    name: "pdctl_queue_requests",
    help: "Requests in each queue of an engine.",
    labels: ["engine", "queue"],
    points: () => fleet.engines().flatMap(({ view, sample }) => queuePoints(view.name, sample)),
  });
  counter(registry, {
    name: "pdctl_bootstrap_failed_total",
    help: "Requests that failed before their transfer could begin.",
    labels,
    points: each(({ view }) => fleet.counted("bootstrap_failed_total", view.name)),
  });
  counter(registry, {
    name: "pdctl_transfer_failed_total",
    help: "Requests whose KV transfer failed.",
    labels,
    points: each(({ view }) => fleet.counted("transfer_failed_total", view.name)),
  });
  counter(registry, {
    name: "pdctl_transfer_bytes_total",
    help: "KV bytes moved from a prefill to a decode engine, where they can be told apart by pair.",
    labels: ["prefill", "decode"],
    points: () =>
      (fleet.latest?.fleet.edges ?? []).map(({ prefill, decode }) => [
        { prefill, decode },
        fleet.bytesOver({ prefill, decode }),
      ]),
  });
}

const queues = [
  ["bootstrap", "bootstrap_queue"],
  ["waiting", "waiting"],
  ["running", "running"],
  ["inflight", "inflight"],
  ["prealloc", "prealloc_queue"],
  ["transfer", "transfer_queue"],
  ["retracted", "retracted"],
  ["paused", "paused"],
] as const;

function queuePoints(engine: string, sample: Sample | undefined): Point[] {
  return queues.map(([queue, field]) => [{ engine, queue }, sample?.[field]]);
}
