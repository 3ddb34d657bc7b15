import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { FleetView, ProcessView } from "../../../../src/contract/fleet.ts";
import type { Sample } from "../../../../src/contract/observation.ts";
import type { Verdict } from "../../../../src/contract/verdict.ts";
import { Exporter } from "../../../../src/daemon/exporter/exporter.ts";
import type { Snapshot } from "../../../../src/daemon/exporter/snapshot.ts";

type Running = { readonly exporter: Exporter; readonly text: (accept?: string) => Promise<string> };

/** An exporter on a port of its own whose clock stands at 100 s. */
async function running(): Promise<Running> {
  const exporter = await Exporter.start({
    listen: "127.0.0.1:0",
    clock: { nowMs: () => 100_000, wallMs: () => 0 },
    host: { latest: () => ({ loadPercent: 50, memoryBytes: 800, memoryUsedBytes: 200 }) },
    pollMs: 1_000,
  });
  onTestFinished(async () => await exporter.close());
  const text = async (accept = "*/*"): Promise<string> =>
    await (await fetch(`http://${exporter.address}/metrics`, { headers: { accept } })).text();
  return { exporter, text };
}

function view(name: string, more: Partial<ProcessView> = {}): ProcessView {
  return { name, role: "prefill", driver: "native", state: "ready", generation: 1, ...more };
}

function snapshot(more: Partial<Snapshot> = {}, fleet: Partial<FleetView> = {}): Snapshot {
  return {
    fleet: {
      fleet: "demo",
      state: "ready",
      epoch: 3,
      model: "tiny",
      daemon: { pid: 1, since: "2026-01-01T00:00:00.000Z" },
      engines: [view("p0"), view("d0", { role: "decode" })],
      router: view("router", { role: "router", driver: "embedded" }),
      edges: [{ prefill: "p0", decode: "d0", quarantined: false }],
      incidents: [],
      ...fleet,
    },
    samples: [],
    edges: [],
    verdicts: [],
    nowMs: 99_000,
    ...more,
  };
}

function sample(id: string, more: Partial<Sample> = {}): Sample {
  return { kind: "sample", t: 98, id, generation: 1, health: "ok", ...more };
}

function verdict(subject: Verdict["subject"], name: Verdict["verdict"]): Verdict {
  return {
    ...{ subject, verdict: name, sinceMs: 0, evidence: [], ruledOut: [], sure: "high" },
    ...{ moving: false, fresh: true, requests: [], engines: [] },
  };
}

/** The lines of one metric, without its comments. */
function linesOf(text: string, name: string): string[] {
  return text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

test("what engines say and what the daemon concludes can be scraped", async () => {
  const { exporter, text } = await running();
  exporter.update(
    snapshot(
      {
        samples: [
          sample("p0", { inflight: 2, inflight_oldest_s: 61, waiting: 1, transfer_failed_total: 4 }),
          sample("d0", { running: 3, transfer_queue: 1 }),
          sample("router", { open: [] }),
        ],
        edges: [{ kind: "edge", t: 98, prefill: "p0", decode: "d0", bytes_total: 4_096 }],
        verdicts: [verdict("engine p0", "suspect"), verdict("request abc", "wedge")],
      },
      { watchdog: { pid: 2, last_seen_s: 1.5 } },
    ),
  );
  const found = await text();
  for (const line of [
    'pdctl_inflight_requests{engine="p0"} 2',
    'pdctl_inflight_oldest_seconds{engine="p0"} 61',
    'pdctl_decode_running_requests{engine="d0"} 3',
    'pdctl_queue_requests{engine="d0",queue="transfer"} 1',
    'pdctl_transfer_failed_total{engine="p0"} 4',
    'pdctl_transfer_bytes_total{prefill="p0",decode="d0"} 4096',
    'pdctl_verdict{subject="engine p0",verdict="suspect"} 1',
    'pdctl_verdict{subject="engine p0",verdict="wedge"} 0',
    'pdctl_up{engine="router"} 1',
    'pdctl_poll_age_seconds{engine="p0"} 2',
    "pdctl_epoch 3",
    "pdctl_watchdog_last_seen_seconds 2.5",
    "pdctl_host_cpu_ratio 0.5",
    "pdctl_host_memory_used_bytes 200",
  ])
    expect(found.split("\n")).toContain(line);
  expect(found).not.toContain("request abc");
  expect(Number(linesOf(found, "process_resident_memory_bytes")[0]?.split(" ")[1])).toBeGreaterThan(1_000_000);
});

test("what is not known has no series, and no zero", async () => {
  const { exporter, text } = await running();
  exporter.update(snapshot({ samples: [sample("p0", { health: "timeout" })] }));
  const found = await text();
  for (const name of [
    "pdctl_inflight_requests",
    "pdctl_queue_requests",
    "pdctl_transfer_failed_total",
    "pdctl_transfer_bytes_total",
    "pdctl_watchdog_last_seen_seconds",
  ])
    expect(linesOf(found, name)).toEqual([]);
  expect(linesOf(found, "pdctl_up")).toEqual(['pdctl_up{engine="p0"} 0']);
});

test("before the first tick there is a page without a fleet", async () => {
  const { text } = await running();
  expect(linesOf(await text(), "pdctl_epoch")).toEqual([]);
});

test("an old look, or one of an earlier generation, does not say how an engine is", async () => {
  const { exporter, text } = await running();
  exporter.update(
    snapshot({ samples: [sample("p0", { t: 80, inflight: 1 }), sample("d0", { generation: 0, running: 1 })] }),
  );
  const found = await text();
  expect(linesOf(found, "pdctl_inflight_requests")).toEqual([]);
  expect(linesOf(found, "pdctl_decode_running_requests")).toEqual([]);
  expect(linesOf(found, "pdctl_poll_age_seconds")).toContain('pdctl_poll_age_seconds{engine="p0"} 20');
});

test("the series of an engine that is gone are gone", async () => {
  const { exporter, text } = await running();
  const samples = [sample("p0", { inflight: 1, transfer_failed_total: 1 }), sample("d0", { running: 1 })];
  exporter.update(snapshot({ samples }));
  expect(await text()).toContain('engine="p0"');
  exporter.update(snapshot({ samples }, { engines: [view("d0", { role: "decode" })], edges: [] }));
  expect(await text()).not.toContain("p0");
});

test("a counter goes on when its engine begins again at zero", async () => {
  const { exporter, text } = await running();
  const failed = async (generation: number, total: number | undefined): Promise<string[]> => {
    const more = total === undefined ? {} : { transfer_failed_total: total };
    const engines = [view("p0", { generation })];
    exporter.update(snapshot({ samples: [sample("p0", { generation, ...more })] }, { engines }));
    return linesOf(await text(), "pdctl_transfer_failed_total");
  };
  const line = (total: number): string[] => [`pdctl_transfer_failed_total{engine="p0"} ${total}`];
  expect(await failed(1, 5)).toEqual(line(5));
  expect(await failed(2, undefined)).toEqual(line(5));
  expect(await failed(2, 0)).toEqual(line(5));
  expect(await failed(2, 7)).toEqual(line(12));
});

test("actions, incidents and times to heal are counted in both formats", async () => {
  const { exporter, text } = await running();
  exporter.countAction({ action: "fail", outcome: "done" });
  exporter.countIncident({ verdict: "wedge", cause: "orphan" });
  exporter.countIncident({ verdict: "wedge" });
  exporter.observeHeal(4);
  for (const accept of ["text/plain", "application/openmetrics-text;version=1.0.0", "text/plain"]) {
    const lines = (await text(accept)).split("\n");
    expect(lines).toContain('pdctl_actions_total{action="fail",outcome="done"} 1');
    expect(lines).toContain('pdctl_incidents_total{cause="orphan"} 1');
    expect(lines).toContain('pdctl_incidents_total{cause="wedge"} 1');
    expect(lines).toContain('pdctl_heal_seconds_bucket{le="5"} 1');
    expect(lines).toContain("pdctl_heal_seconds_sum 4");
  }
});

test.each([
  { accept: "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2", open: true },
  { accept: "application/openmetrics-text", open: true },
  { accept: "application/openmetrics-text;q=0", open: false },
  { accept: "text/plain,application/openmetrics-text;q=0.5", open: false },
  { accept: "*/*", open: false },
])("who accepts $accept gets OpenMetrics: $open", async ({ accept, open }) => {
  const { exporter } = await running();
  const response = await fetch(`http://${exporter.address}/metrics`, { headers: { accept } });
  expect(response.headers.get("content-type")).toMatch(open ? /^application\/openmetrics-text/ : /^text\/plain/);
  expect((await response.text()).endsWith("# EOF\n")).toBe(open);
});

test.each([
  { method: "GET", path: "/", status: 404 },
  { method: "POST", path: "/metrics", status: 405 },
])("$method $path is answered $status", async ({ method, path, status }) => {
  const { exporter } = await running();
  expect((await fetch(`http://${exporter.address}${path}`, { method })).status).toBe(status);
});

test("a port that is taken is told in words, and is no end", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void holder.close());
  const { port } = holder.address() as AddressInfo;
  const exporter = await Exporter.start({
    listen: `127.0.0.1:${port}`,
    clock: { nowMs: () => 0, wallMs: () => 0 },
    host: { latest: () => ({}) },
    pollMs: 1_000,
  });
  onTestFinished(async () => await exporter.close());
  expect(exporter.address).toBeUndefined();
  expect(exporter.warning).toMatch(new RegExp(`Nobody can read the metrics: Another process listens on .*:${port}`));
  exporter.update(snapshot());
});
