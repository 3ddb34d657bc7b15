import type { FastifyInstance } from "fastify";
import { Counter, Gauge, Registry } from "prom-client";
import { countAnswers } from "../../lib/answer-counter.ts";
import type { RouterParts } from "../router-parts.ts";

/** GET /metrics of the router. */
export function metricsRoute(app: FastifyInstance, { records, edges, sender }: RouterParts): void {
  const registry = new Registry();
  countAnswers(app, registry, "pdctl_router_http_requests_total");
  const registers = [registry];
  new Gauge({
    name: "pdctl_router_open_requests",
    help: "Requests on their way.",
    registers,
    collect() {
      this.set(records.open);
    },
  });
  new Gauge({
    name: "pdctl_router_waiting_requests",
    help: "Requests that are open and on no engine.",
    registers,
    collect() {
      this.set(sender.waiting);
    },
  });
  const again = new Counter({
    name: "pdctl_router_sent_again_total",
    help: "Requests sent a second time, since their engine was lost or started again.",
    registers,
  });
  const requests = new Counter({
    name: "pdctl_router_requests_total",
    help: "Requests that ended, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const ackLost = new Counter({
    name: "pdctl_router_ack_lost_total",
    help: "Failures of prefill that came after decode had everything.",
    registers,
  });
  const labelNames = ["prefill", "decode"] as const;
  const open = new Gauge({
    name: "pdctl_router_edge_open_requests",
    help: "Requests on their way, by edge.",
    labelNames,
    registers,
  });
  const attempts = new Counter({
    name: "pdctl_router_edge_attempts_total",
    help: "Requests sent, by edge.",
    labelNames,
    registers,
  });
  const ok = new Counter({
    name: "pdctl_router_edge_ok_total",
    help: "Requests answered, by edge.",
    labelNames,
    registers,
  });
  app.get("/metrics", async (_request, reply) => {
    const { answered, failed, clientGone, ackLost: lost } = records.totals;
    for (const counter of [requests, again, ackLost, attempts, ok]) counter.reset();
    requests.inc({ outcome: "answered" }, answered);
    requests.inc({ outcome: "failed" }, failed);
    requests.inc({ outcome: "client-gone" }, clientGone);
    again.inc(records.sentAgainTotal);
    ackLost.inc(lost);
    for (const { prefill, decode, ...edge } of edges.counts()) {
      open.set({ prefill, decode }, edge.open);
      attempts.inc({ prefill, decode }, edge.attemptsTotal);
      ok.inc({ prefill, decode }, edge.okTotal);
    }
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
