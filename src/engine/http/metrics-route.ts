import type { FastifyInstance } from "fastify";
import { Counter, Gauge, Registry } from "prom-client";
import type { EngineState } from "../../contract/engine-http.ts";
import { countAnswers } from "../../lib/answer-counter.ts";
import type { EngineParts } from "../engine-parts.ts";
import { stateOf } from "./state-of.ts";

/** GET /metrics: read from the loop's snapshot at the time of the scrape; nothing waits for the loop. */
export function metricsRoute(app: FastifyInstance, parts: EngineParts): void {
  const registry = new Registry();
  countAnswers(app, registry, "pdctl_engine_http_requests_total");
  const set = engineMetrics(registry);
  app.get("/metrics", async (_request, reply) => {
    set(stateOf(parts.native));
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

function engineMetrics(registry: Registry): (state: EngineState) => void {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> =>
    new Gauge({ name: `pdctl_engine_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const queue = gauge("queue_requests", "Requests in each queue.", ["queue"]);
  const pages = gauge("kv_pages", "Pages of the KV pool, by state.", ["state"]);
  const oldest = gauge(
    "inflight_oldest_seconds",
    "Time of the oldest request in the inflight queue; absent while it is empty.",
  );
  const loopAge = gauge("loop_age_seconds", "Time since the loop last turned.");
  const links = gauge("links", "Connections to other engines.");
  const draining = gauge("draining", "1 while new requests are refused.");
  const pagesWrong = gauge("kv_pages_wrong", "1 when the last check of the page counts found a mistake.");
  const steps = total(registry, "steps_total", "Steps of the loop.");
  const totals = totalsOf(registry);
  return (state) => {
    for (const [name, count] of Object.entries(state.queues)) queue.set({ queue: name }, count);
    for (const name of ["free", "live", "held"] as const) pages.set({ state: name }, state.pages[name]);
    if (state.inflightOldestMs === undefined) oldest.remove();
    else oldest.set(state.inflightOldestMs / 1000);
    loopAge.set(state.loopAgeMs / 1000);
    links.set(state.links);
    draining.set(state.draining ? 1 : 0);
    pagesWrong.set(state.pagesWrong === "" ? 0 : 1);
    steps(state.steps);
    totals(state.totals);
  };
}

const totalNames = {
  requests: ["requests_total", "Requests taken."],
  finished: ["requests_finished_total", "Requests that finished."],
  failed: ["requests_failed_total", "Requests that failed."],
  aborted: ["requests_aborted_total", "Requests that were aborted."],
  bootstrapFailed: ["bootstrap_failed_total", "Requests that failed before decode had answered."],
  transferFailed: ["transfer_failed_total", "Requests that failed while their KV moved."],
  transfersCompleted: ["transfers_completed_total", "KV transfers that were committed."],
  transferBytes: ["transfer_bytes_total", "Bytes of KV moved."],
  promptTokens: ["prompt_tokens_total", "Prompt tokens computed."],
  generatedTokens: ["generated_tokens_total", "Tokens generated."],
  ackLost: ["ack_lost_total", "Failures of prefill that came after decode had committed."],
  framesStale: ["frames_stale_total", "Frames of another incarnation, dropped."],
  framesHostile: ["frames_hostile_total", "Frames that broke the protocol; their connections were closed."],
  handshakesRefused: ["handshakes_refused_total", "Connections refused at the handshake."],
} as const satisfies Record<keyof EngineState["totals"], readonly [string, string]>;

function totalsOf(registry: Registry): (totals: EngineState["totals"]) => void {
  const setters = Object.entries(totalNames).map(([key, [name, help]]) => ({
    key: key as keyof EngineState["totals"],
    set: total(registry, name, help),
  }));
  return (totals) => {
    for (const { key, set } of setters) set(totals[key]);
  };
}

// The engine counts; prom-client only prints, so a counter is set by starting it anew.
function total(registry: Registry, name: string, help: string): (count: number) => void {
  const counter = new Counter({ name: `pdctl_engine_${name}`, help, registers: [registry] });
  return (count) => {
    counter.reset();
    counter.inc(count);
  };
}
