import { readdirSync } from "node:fs";
import type { Registry } from "prom-client";
import type { Host } from "../../lib/host-facts.ts";
import { counter, gauge } from "./series.ts";

/**
 * The daemon's own process, by the names that Prometheus knows, and its machine. Not prom-client's own set: that looks
 * at the event loop a hundred times a second, for as long as the daemon runs.
 */
export function ownSeries(registry: Registry, host: Pick<Host, "latest">): void {
  const beganUnixSeconds = performance.timeOrigin / 1_000;
  counter(registry, {
    name: "process_cpu_seconds_total",
    help: "CPU time of the daemon.",
    points: () => [[{}, cpuSeconds()]],
  });
  gauge(registry, {
    name: "process_resident_memory_bytes",
    help: "Memory of the daemon.",
    points: () => [[{}, process.memoryUsage.rss()]],
  });
  gauge(registry, {
    name: "process_start_time_seconds",
    help: "When the daemon was started, in seconds since 1970.",
    points: () => [[{}, beganUnixSeconds]],
  });
  gauge(registry, {
    name: "process_open_fds",
    help: "Open files of the daemon.",
    points: () => [[{}, readdirSync("/proc/self/fd").length]],
  });
  gauge(registry, {
    name: "nodejs_heap_size_used_bytes",
    help: "JavaScript memory of the daemon that is in use.",
    points: () => [[{}, process.memoryUsage().heapUsed]],
  });
  hostSeries(registry, host);
}

function hostSeries(registry: Registry, host: Pick<Host, "latest">): void {
  gauge(registry, {
    name: "pdctl_host_cpu_ratio",
    help: "Share of the machine's CPUs that is in use.",
    points: () => {
      const { loadPercent } = host.latest();
      return [[{}, loadPercent === undefined ? undefined : loadPercent / 100]];
    },
  });
  gauge(registry, {
    name: "pdctl_host_memory_bytes",
    help: "Memory of the machine.",
    points: () => [[{}, host.latest().memoryBytes]],
  });
  gauge(registry, {
    name: "pdctl_host_memory_used_bytes",
    help: "Memory of the machine that is in use and cannot be given to others.",
    points: () => [[{}, host.latest().memoryUsedBytes]],
  });
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}
