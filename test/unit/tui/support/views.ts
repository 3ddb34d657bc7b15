import type { LiveView } from "../../../../src/contract/events.ts";
import type { EdgeView, IncidentLine, ProcessView } from "../../../../src/contract/fleet.ts";
import type { RequestView } from "../../../../src/contract/request-view.ts";
import type { Moment } from "../../../../src/tui/state.ts";

/** A time that does not pass: ages in the frames are counted from it. */
export const moment: Moment = { nowMs: 1_000_000, wallMs: Date.parse("2030-01-01T00:10:00Z") };

/** That many seconds later. */
export function after(seconds: number, from = moment): Moment {
  return { nowMs: from.nowMs + seconds * 1_000, wallMs: from.wallMs + seconds * 1_000 };
}

export function prefill(name = "prefill", more: Partial<ProcessView> = {}): ProcessView {
  return engine(name, {
    role: "prefill",
    load: {
      bootstrap_queue: 0,
      waiting: 3,
      running: 1,
      inflight: 2,
      inflight_oldest_s: 3.14,
      kv_usage: 0.12,
      prompt_tokens_total: 1_000,
      transfer_bytes_total: 0,
    },
    ...more,
  });
}

export function decode(name = "decode", more: Partial<ProcessView> = {}): ProcessView {
  return engine(name, {
    role: "decode",
    load: { prealloc_queue: 0, transfer_queue: 1, waiting: 0, running: 4, kv_usage: 0.4, generated_tokens_total: 500 },
    ...more,
  });
}

export function edge(prefillName: string, decodeName: string, more: Partial<EdgeView> = {}): EdgeView {
  return {
    prefill: prefillName,
    decode: decodeName,
    verdict: "ok",
    open: 2,
    attemptsTotal: 120,
    okTotal: 118,
    quarantined: false,
    ...more,
  };
}

export function request(id: string, more: Partial<RequestView> = {}): RequestView {
  return {
    id,
    room: "4711",
    stage: "transfer",
    live: true,
    arrived: "2030-01-01T00:09:00Z",
    ageMs: 4_000,
    stageAgeMs: 1_000,
    prefill: "prefill",
    decode: "decode",
    bytesDone: 92_160,
    bytesTotal: 184_320,
    deadline: { name: "inflight", engine: "prefill", inMs: 296_000 },
    spans: [],
    ...more,
  };
}

export function incident(id: string, more: Partial<IncidentLine> = {}): IncidentLine {
  return { id, subject: "edge prefill:decode", verdict: "wedge", since: "2030-01-01T00:09:18Z", ...more };
}

export function liveView({
  fleet = {},
  ...more
}: { fleet?: Partial<LiveView["fleet"]> } & Partial<Omit<LiveView, "fleet">> = {}): LiveView {
  return {
    fleet: {
      fleet: "demo",
      state: "ready",
      epoch: 3,
      model: "smollm2-135m",
      url: "http://127.0.0.1:8000",
      daemon: { pid: 4711, since: "2030-01-01T00:00:00Z", tickAgeS: 0.3 },
      watchdog: { pid: 4712, last_seen_s: 1 },
      verdict: "ok",
      engines: [prefill(), decode()],
      router: engine("router", { role: "router", driver: "embedded" }),
      edges: [edge("prefill", "decode")],
      incidents: [],
      ...fleet,
    },
    requests: [],
    host: { loadPercent: 12, memoryUsedBytes: 2 * 1024 ** 3, memoryBytes: 8 * 1024 ** 3 },
    ...more,
  };
}

/** A pair whose transfer stands still, with one request that waits for it and one that has been failed. */
export function wedgedView(): LiveView {
  const stuck = { verdict: "wedge", cause: "transfer-stall" } as const;
  return liveView({
    fleet: {
      ...{ verdict: "wedge", cause: "transfer-stall", severity: "CRITICAL", verdictOf: "edge prefill:decode" },
      step: "failing request r17: it has moved no byte for 62 s",
      edges: [edge("prefill", "decode", { ...stuck, open: 12 })],
      incidents: [
        incident("i7", { cause: "transfer-stall", done: "failed request r17 on prefill and decode" }),
        incident("i6", {
          verdict: "down",
          cause: "exited",
          subject: "engine decode",
          since: "2030-01-01T00:01:00Z",
          ended: "2030-01-01T00:01:09Z",
          done: "started it again",
        }),
      ],
    },
    requests: [
      request("r17", { ...stuck, stageAgeMs: 62_000, ageMs: 63_500, bytesDone: 0 }),
      request("r18", { stage: "decode", stageAgeMs: 400, ageMs: 2_300, bytesDone: 184_320 }),
      request("r19", {
        stage: "bootstrap",
        stageAgeMs: 12,
        ageMs: 12,
        bytesDone: undefined,
        bytesTotal: undefined,
        deadline: undefined,
      }),
    ],
  });
}

function engine(name: string, more: Partial<ProcessView>): ProcessView {
  return {
    name,
    role: "both",
    driver: "native",
    state: "ready",
    generation: 1,
    verdict: "ok",
    sampleAgeS: 0.5,
    ...more,
  };
}
