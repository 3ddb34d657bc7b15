import type { FastifyInstance } from "fastify";
import { Counter, Gauge, Registry } from "prom-client";
import { countAnswers } from "../../lib/answer-counter.ts";
import type { RouterParts } from "../router-parts.ts";

/** GET /metrics of the router. */
export function metricsRoute(app: FastifyInstance, parts: RouterParts): void {
  const registry = new Registry();
  countAnswers(app, registry, "pdctl_router_http_requests_total");
  const read = [requestMetrics(registry, parts), edgeMetrics(registry, parts)];
  app.get("/metrics", async (_request, reply) => {
    for (const one of read) one();
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

function requestMetrics(registry: Registry, { records, sender }: RouterParts): () => void {
  const registers = [registry];
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers });
  const open = gauge("pdctl_router_open_requests", "Requests that have not ended.");
  const waiting = gauge("pdctl_router_waiting_requests", "Requests that are open and on no engine.");
  const requests = new Counter({
    name: "pdctl_router_requests_total",
    help: "Requests that ended, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const again = new Counter({
    name: "pdctl_router_sent_again_total",
    help: "Requests sent a second time, since an engine was lost or started again.",
    registers,
  });
  const ackLost = new Counter({
    name: "pdctl_router_ack_lost_total",
    help: "Failures of prefill that came after decode had everything.",
    registers,
  });
  return () => {
    const { answered, failed, clientGone, ackLost: lost } = records.totals;
    for (const counter of [requests, again, ackLost]) counter.reset();
    open.set(records.open);
    waiting.set(sender.waiting);
    requests.inc({ outcome: "answered" }, answered);
    requests.inc({ outcome: "failed" }, failed);
    requests.inc({ outcome: "client-gone" }, clientGone);
    again.inc(records.sentAgainTotal);
    ackLost.inc(lost);
  };
}

function edgeMetrics(registry: Registry, { edges }: RouterParts): () => void {
  const labels = { labelNames: ["prefill", "decode"] as const, registers: [registry] };
  const open = new Gauge({
    name: "pdctl_router_edge_open_requests",
    help: "Requests on their way, by edge.",
    ...labels,
  });
  const attempts = new Counter({
    name: "pdctl_router_edge_attempts_total",
    help: "Requests sent, by edge.",
    ...labels,
  });
  const ok = new Counter({ name: "pdctl_router_edge_ok_total", help: "Requests answered, by edge.", ...labels });
  return () => {
    // Pairs that are no longer in the table have no series.
    for (const metric of [open, attempts, ok]) metric.reset();
    for (const { prefill, decode, ...edge } of edges.counts()) {
      open.set({ prefill, decode }, edge.open);
      attempts.inc({ prefill, decode }, edge.attemptsTotal);
      ok.inc({ prefill, decode }, edge.okTotal);
    }
  };
}
