import type { FastifyInstance } from "fastify";
import type { RouterParts } from "../router-parts.ts";

/** GET /health: 200 while new requests are taken and there are engines to send them to. */
export function healthRoute(app: FastifyInstance, { name, records, edges, draining }: RouterParts): void {
  app.get("/health", async (_request, reply) => {
    const open = records.open;
    if (draining.aborted) return reply.code(503).send({ status: "draining", name, open });
    if (edges.empty) return reply.code(503).send({ status: "starting", name, open });
    const { serves, lost } = await edges.reach();
    const engines = lost.length === 0 ? {} : { lost };
    return reply.code(serves ? 200 : 503).send({ status: serves ? "ok" : "engine-lost", name, open, ...engines });
  });
}
