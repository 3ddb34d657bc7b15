import type { FastifyInstance } from "fastify";
import type { EngineParts } from "../engine-parts.ts";
import { stateOf } from "./state-of.ts";

/** GET /health: 200 while the loop turns and new requests are taken. */
export function healthRoute(app: FastifyInstance, parts: EngineParts): void {
  app.get("/health", async (_request, reply) => {
    const { loopAgeMs, draining, role } = stateOf(parts.native);
    const status = draining ? "draining" : loopAgeMs > loopAgeMsMax ? "stalled" : "ok";
    return reply.code(status === "ok" ? 200 : 503).send({ status, role, name: parts.name, loopAgeMs });
  });
}

// Far above the longest step that a loaded machine has shown: a busy loop is not a stalled one.
const loopAgeMsMax = 30_000;
