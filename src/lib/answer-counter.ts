import type { FastifyInstance } from "fastify";
import { Counter, type Registry } from "prom-client";

/** Counts what an HTTP server answered, by route and status. */
export function countAnswers(app: FastifyInstance, registry: Registry, name: string): void {
  const answered = new Counter({
    name,
    help: "HTTP requests answered, by route and status.",
    labelNames: ["route", "status"],
    registers: [registry],
  });
  app.addHook("onResponse", async (request, reply) => {
    answered.inc({ route: request.routeOptions.url ?? "unknown", status: reply.raw.statusCode });
  });
}
