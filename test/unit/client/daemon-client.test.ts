import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { type FastifyInstance, fastify } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DaemonClient } from "../../../src/client/daemon-client.ts";

let folder: string;
let socket: string;
let server: FastifyInstance;
const limit = (): AbortSignal => AbortSignal.timeout(20_000);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pd-"));
  socket = join(folder, "a.sock");
  server = fastify({ forceCloseConnections: true });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function event(id: number): string {
  const value = { id, at: "2026-01-01T00:00:00.000Z", atMs: id, kind: "state", subject: "decode", words: `w${id}` };
  return `id: ${id}\nevent: event\ndata: ${JSON.stringify({ ...value, severity: "ok" })}\n\n`;
}

test("where no socket is, no fleet runs", async () => {
  await expect(new DaemonClient(socket).fleet()).rejects.toMatchObject({ code: "fleet-not-running" });
});

test("a file where the socket's folder should be is a place that cannot be used, and no mistake of pdctl", async () => {
  writeFileSync(join(folder, "file"), "");
  const fleet = new DaemonClient(join(folder, "file", "a.sock")).fleet();
  await expect(fleet).rejects.toMatchObject({
    code: "place-invalid",
    message: expect.stringContaining("ENOTDIR") as string,
  });
});

test("a refusal keeps its code, its sentence and what to try", async () => {
  const detail = "The budget of co-restarts is used up.";
  server.post("/v1/fleet/restart", async (_request, reply) => {
    const problem = {
      type: "about:blank",
      status: 409,
      title: "t",
      detail,
      code: "action-refused",
      tryThis: "--force",
    };
    await reply.code(409).type("application/problem+json").send(problem);
  });
  await server.listen({ path: socket });
  await expect(new DaemonClient(socket).restartFleet({ co: true, all: true })).rejects.toMatchObject({
    ...{ code: "action-refused", message: detail, tryThis: "--force" },
  });
});

test("a wish carries its body, and a name is one part of the path whatever it is", async () => {
  const bodies: unknown[] = [];
  server.post<{ Params: { id: string } }>("/v1/requests/:id/fail", async ({ params, body }, reply) => {
    bodies.push([params.id, body]);
    await reply.code(202).send({ action: "a7" });
  });
  await server.listen({ path: socket });
  expect(await new DaemonClient(socket).failRequest("a/b c", { why: "stuck" })).toEqual({ action: "a7" });
  expect(bodies).toEqual([["a/b c", { why: "stuck" }]]);
});

test("an answer of another version is told as one", async () => {
  server.get("/v1/actions/a1", () => ({ action: "?" }));
  server.get("/v1/health", async (_request, reply) => await reply.type("text/html").send("<p>"));
  await server.listen({ path: socket });
  const client = new DaemonClient(socket);
  await expect(client.action("a1")).rejects.toMatchObject({ code: "daemon-unreadable" });
  await expect(client.health()).rejects.toMatchObject({ code: "daemon-unreadable" });
});

test("a daemon that hangs is given up after the limit, for answers and for streams", async () => {
  const never = new Promise<never>(() => undefined);
  server.get("/v1/health", async () => await never);
  server.get("/v1/events", async () => await never);
  await server.listen({ path: socket });
  const client = new DaemonClient(socket, { limitMs: 50 });
  await expect(client.health()).rejects.toMatchObject({ code: "timed-out" });
  await expect(client.events("0", limit()).next()).rejects.toMatchObject({ code: "timed-out" });
});

test("events go on over a daemon that ends, after the last one seen", async () => {
  const asked: string[] = [];
  server.get<{ Querystring: { since: string } }>("/v1/events", async ({ query }, reply) => {
    asked.push(query.since);
    const stream = new PassThrough();
    const next = query.since === "5m" ? 3 : Number(query.since) + 1;
    stream.write(event(next));
    if (next < 5) stream.end();
    return await reply.type("text/event-stream").send(stream);
  });
  await server.listen({ path: socket });
  const stop = new AbortController();
  const seen: number[] = [];
  for await (const { id } of new DaemonClient(socket).events("5m", AbortSignal.any([stop.signal, limit()]))) {
    seen.push(id);
    if (id === 5) stop.abort();
  }
  expect(seen).toEqual([3, 4, 5]);
  expect(asked).toEqual(["5m", "3", "4"]);
});

test("a stream on which nothing has come yet goes on over a daemon that is killed; a list that is cut is none", async () => {
  let connections = 0;
  server.get("/v1/events", (request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { "content-type": "text/event-stream" });
    reply.raw.write(connections++ === 0 ? ": begin\n\n" : event(1));
    if (connections === 1) setTimeout(() => request.raw.socket.destroy(), 50);
  });
  server.get("/v1/observations", (request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { "content-type": "text/event-stream" });
    const line = { kind: "fleet", version: 1, engines: [] };
    reply.raw.write(`event: observation\ndata: ${JSON.stringify(line)}\n\n`);
    setTimeout(() => request.raw.socket.destroy(), 50);
  });
  await server.listen({ path: socket });
  const client = new DaemonClient(socket);
  for await (const { id } of client.events("5m", limit())) {
    expect(id).toBe(1);
    break;
  }
  expect(connections).toBe(2);
  const seen: unknown[] = [];
  for await (const line of client.observations(limit())) seen.push(line);
  expect(seen).toMatchObject([{ kind: "fleet" }]);
  connections = 0;
  await expect(client.pastEvents("5m", limit())).rejects.toMatchObject({ code: "fleet-not-running" });
});

test("past events end with the last one", async () => {
  server.get("/v1/events", async (_request, reply) => await reply.type("text/event-stream").send(event(1) + event(2)));
  await server.listen({ path: socket });
  const seen = await new DaemonClient(socket).pastEvents("1h", limit());
  expect(seen.map(({ words }) => words)).toEqual(["w1", "w2"]);
});

test("who is late with the live view gets the newest", async () => {
  const view = (epoch: number): string => {
    const process = { name: "router", role: "router", driver: "embedded", state: "ready", generation: 1 };
    const fleet = { fleet: "demo", state: "ready", epoch, model: "m", engines: [], edges: [], incidents: [] };
    const daemon = { pid: 2, since: "2026-01-01T00:00:00.000Z" };
    return `event: view\ndata: ${JSON.stringify({ fleet: { ...fleet, daemon, router: process }, requests: [], host: {} })}\n\n`;
  };
  server.get("/v1/events", async (_request, reply) => await reply.type("text/event-stream").send(view(1) + view(2)));
  await server.listen({ path: socket });
  for await (const { fleet } of new DaemonClient(socket).live(limit())) {
    expect(fleet.epoch).toBe(2);
    break;
  }
});
