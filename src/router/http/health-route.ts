import type { FastifyInstance } from "fastify";
import type { RouterParts } from "../router-parts.ts";

/** GET /health: 200 while new requests are taken. It says nothing of the engines: each has its own. */
export function healthRoute(app: FastifyInstance, { name, records, draining }: RouterParts): void {
  app.get("/health", async (_request, reply) => {
    const status = draining.aborted ? "draining" : "ok";
    return reply.code(status === "ok" ? 200 : 503).send({ status, name, open: records.open });
  });
}
