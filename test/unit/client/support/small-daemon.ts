import { PassThrough } from "node:stream";
import { type FastifyInstance, fastify } from "fastify";
import type { FleetEvent } from "../../../../src/contract/events.ts";
import type { FleetView, ProcessView } from "../../../../src/contract/fleet.ts";

/** A server on a socket that answers what a test wants a daemon to answer. */
export async function smallDaemon(socket: string, add: (server: FastifyInstance) => void): Promise<FastifyInstance> {
  const server = fastify({ forceCloseConnections: true });
  add(server);
  await server.listen({ path: socket });
  return server;
}

/** Answers GET /v1/events with these, and then with nothing more until the server closes. */
export function addEvents(server: FastifyInstance, events: readonly FleetEvent[]): void {
  const open = new Set<PassThrough>();
  server.addHook("preClose", async () => {
    for (const stream of open) stream.end();
  });
  server.get("/v1/events", async (_request, reply) => {
    const stream = new PassThrough();
    open.add(stream);
    for (const event of events) stream.write(`id: ${event.id}\nevent: event\ndata: ${JSON.stringify(event)}\n\n`);
    return await reply.type("text/event-stream").send(stream);
  });
}

export function eventOf(more: Partial<FleetEvent>): FleetEvent {
  const usual = { id: 1, at: "2026-01-01T00:00:00.000Z", atMs: 1, kind: "state", subject: "decode", words: "ready" };
  return { ...usual, severity: "ok", ...more } as FleetEvent;
}

export function processOf(more: Partial<ProcessView>): ProcessView {
  return { name: "router", role: "router", driver: "embedded", state: "ready", generation: 1, ...more };
}

export function fleetOf(more: Partial<FleetView> = {}): FleetView {
  return {
    ...{ fleet: "demo", state: "ready", epoch: 1, model: "m", url: "http://127.0.0.1:1" },
    daemon: { pid: 2, since: "2026-01-01T00:00:00.000Z" },
    ...{ engines: [], edges: [], incidents: [], router: processOf({}) },
    ...more,
  };
}
