import { statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DaemonClient } from "../../../../src/client/daemon-client.ts";
import { PdctlError } from "../../../../src/contract/errors.ts";
import { problemSchema } from "../../../../src/contract/problem.ts";
import { askJson } from "../../../../src/lib/http-json.ts";
import { action, incident, ServedApi, view } from "./support.ts";

let api: ServedApi;

beforeEach(async () => {
  api = new ServedApi();
  await api.start();
});
afterEach(async () => await api.end());

async function ask(path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const signal = AbortSignal.timeout(20_000);
  return await askJson({ socket: api.socket, path }, body === undefined ? { signal } : { body, signal });
}

test("only the owner may open the socket", () => {
  expect(statSync(api.socket).mode & 0o777).toBe(0o600);
});

test("a socket that somebody takes away is made again", async () => {
  expect(await api.keepSocket()).toBe(false);
  unlinkSync(api.socket);
  await expect(ask("/livez")).rejects.toThrow();
  expect(await api.keepSocket()).toBe(true);
  expect(statSync(api.socket).mode & 0o777).toBe(0o600);
  expect((await ask("/livez")).status).toBe(200);
});

test("everything that can be read is read by the client", async () => {
  const client = new DaemonClient(api.socket);
  expect(await client.fleet()).toEqual(view);
  expect((await client.requests()).requests.map(({ id, stage }) => [id, stage])).toEqual([
    ["abc", "prefill"],
    ["abd", "queue"],
  ]);
  expect((await client.request("abc")).legs.map(({ engine }) => engine)).toEqual(["p0"]);
  expect((await client.request("old-abc")).request.id).toBe("abc");
  expect((await client.engine("p0")).logFile).toBe("p0.log");
  expect((await client.incidents()).incidents).toEqual([
    { id: "i1", subject: "request abc", verdict: "wedge", cause: "orphan", since: incident.since },
  ]);
  expect(await client.incident("i1")).toEqual(incident);
  expect(await client.action("a1")).toEqual(action);
  expect((await client.health()).status).toBe("OK");
});

test.each([
  { path: "/livez", change: {}, status: 200 },
  { path: "/livez", change: { daemon: { ...view.daemon, tickAgeS: 16 } }, status: 503 },
  { path: "/readyz", change: {}, status: 200 },
  { path: "/readyz", change: { state: "degraded" as const }, status: 503 },
  { path: "/startupz", change: { state: "degraded" as const }, status: 200 },
  { path: "/startupz", change: { state: "starting" as const }, status: 503 },
])("$path answers $status with $change", async ({ path, change, status }) => {
  api.view = { ...view, ...change };
  expect((await ask(path)).status).toBe(status);
});

test.each([
  {
    path: "/v1/requests/old-abc/fail",
    body: { why: "it hangs" },
    wish: { kind: "fail", request: "abc", why: "it hangs" },
  },
  { path: "/v1/engines/p0/restart", body: {}, wish: { kind: "restart", engine: "p0", force: false } },
  {
    path: "/v1/engines/p0/restart",
    body: { co: true, engines: ["d0"], why: "so", force: true },
    wish: { kind: "co-restart", engines: ["p0", "d0"], all: false, why: "so", force: true },
  },
  {
    path: "/v1/engines/p0/drain",
    body: { drainMs: 5 },
    wish: { kind: "drain", engine: "p0", drainMs: 5, force: false },
  },
  { path: "/v1/engines/p0/resume", body: {}, wish: { kind: "resume", engine: "p0" } },
  {
    path: "/v1/fleet/restart",
    body: { all: true },
    wish: { kind: "co-restart", engines: [], all: true, force: false },
  },
  { path: "/v1/fleet/stop", body: {}, wish: { kind: "stop", drainMs: 30_000, now: false } },
])("$path with $body leaves a wish and names the action", async ({ path, body, wish }) => {
  expect(await ask(path, body)).toEqual({ status: 202, body: { action: "a1" } });
  expect(api.wishes).toEqual([wish]);
});

test("a wish that is refused is a problem that says why and what to try", async () => {
  api.wished = { kind: "refused", words: "The budget is used up.", tryThis: "--force" };
  const client = new DaemonClient(api.socket);
  await expect(client.restartEngine("p0", {})).rejects.toMatchObject({
    code: "action-refused",
    message: "The budget is used up.",
    tryThis: "--force",
  });
  expect((await ask("/v1/fleet/stop", {})).status).toBe(409);
});

test.each([
  { path: "/v1/requests/zzz", status: 404, code: "request-unknown" },
  { path: "/v1/requests/ab", status: 400, code: "request-ambiguous" },
  { path: "/v1/engines/zzz", status: 404, code: "engine-unknown" },
  { path: "/v1/incidents/i9", status: 404, code: "incident-unknown" },
  { path: "/v1/actions/a9", status: 404, code: "action-unknown" },
  { path: "/v1/nothing", status: 404, code: "route-unknown" },
  { path: "/v1/events?since=soon", status: 400, code: "usage" },
  { path: "/v1/requests/zzz/fail", body: { why: "so" }, status: 404, code: "request-unknown" },
  { path: "/v1/requests/abc/fail", body: {}, status: 400, code: "usage" },
  { path: "/v1/engines/p0/restart", body: { hard: true }, status: 400, code: "usage" },
  { path: "/v1/fleet/restart", body: {}, status: 400, code: "usage" },
  { path: "/v1/fleet/stop", body: { drainMs: -1 }, status: 400, code: "usage" },
  { path: "/v1/engines/router/drain", body: {}, status: 400, code: "usage" },
  { path: "/v1/engines/router/resume", body: {}, status: 400, code: "usage" },
  { path: "/v1/fleet/restart", body: { engines: ["nosuch"] }, status: 404, code: "engine-unknown" },
])("$path answers $status with the code $code", async ({ path, body, status, code }) => {
  const answer = await ask(path, body);
  expect(answer.status).toBe(status);
  expect(problemSchema.parse(answer.body)).toMatchObject({ status, code });
  expect(api.wishes).toEqual([]);
});

test("a mistake of the daemon is a problem with status 500, and is told", async () => {
  api.requestsFail = true;
  expect((await ask("/v1/requests")).status).toBe(500);
  expect(api.mistakes).toHaveLength(1);
});

test("nobody on the socket means that no fleet runs", async () => {
  const error = await new DaemonClient(join(api.folder, "none.sock")).fleet().catch((found: unknown) => found);
  expect(error).toBeInstanceOf(PdctlError);
  expect(error).toMatchObject({ code: "fleet-not-running" });
});

test("/openapi.json tells of every route, its body and its answer", async () => {
  const { body } = await ask("/openapi.json");
  const { paths } = body as { paths: Record<string, Record<string, { requestBody?: unknown; responses: object }>> };
  expect(Object.keys(paths)).toHaveLength(19);
  expect(paths["/v1/requests/{id}/fail"]?.["post"]?.requestBody).toMatchObject({
    content: { "application/json": { schema: { required: ["why"] } } },
  });
  expect(paths["/v1/events"]?.["get"]?.responses).toHaveProperty("200.content.text/event-stream");
});
