import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { DaemonClient } from "../../../../src/client/daemon-client.ts";
import { PdctlError } from "../../../../src/contract/errors.ts";
import type { FleetView, StopWish } from "../../../../src/contract/fleet.ts";
import { problemSchema } from "../../../../src/contract/problem.ts";
import { type Api, serveApi } from "../../../../src/daemon/api/server.ts";
import { mergeRequests } from "../../../../src/daemon/poller/merge-requests.ts";
import { askJson } from "../../../../src/lib/http-json.ts";
import { record, routed } from "../poller/records.ts";

let folder: string;
let socket: string;
let api: Api;
let state: FleetView["state"] = "ready";
let wishes: StopWish[] = [];
let mistakes: unknown[] = [];
let requestsFail = false;

function view(): FleetView {
  return {
    fleet: "demo",
    state,
    epoch: 1,
    model: "smollm2-135m",
    url: "http://127.0.0.1:1",
    daemon: { pid: 1, since: "2026-01-01T00:00:00.000Z" },
    engines: [],
    router: { name: "router", role: "router", driver: "embedded", state: "ready", generation: 1 },
  };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "pdctl-api-"));
  socket = join(folder, "daemon.sock");
  api = await serveApi(socket, {
    fleet: view,
    requests: async () => {
      if (requestsFail) throw new Error("a bug");
      const records = [record("abc", [["running", 1_000]]), record("abd", [["waiting", 1_000]])];
      const engines = [{ name: "p0", role: "prefill" as const, records }];
      return { details: mergeRequests({ engines, router: [routed("abc")] }, 2_000), unanswered: [] };
    },
    wishStop: (wish) => wishes.push(wish),
    keptWords: "records are kept for a while",
    onMistake: (error) => mistakes.push(error),
  });
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  state = "ready";
  wishes = [];
  mistakes = [];
  requestsFail = false;
});

async function ask(path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const signal = AbortSignal.timeout(20_000);
  return await askJson({ socket, path }, body === undefined ? { signal } : { body, signal });
}

test("only the owner may open the socket", () => {
  expect(statSync(socket).mode & 0o777).toBe(0o600);
});

test("the fleet, its requests and one of them are read by the client", async () => {
  const client = new DaemonClient(socket);
  expect(await client.fleet()).toEqual(view());
  expect((await client.requests()).requests.map(({ id, stage }) => [id, stage])).toEqual([
    ["abc", "prefill"],
    ["abd", "queue"],
  ]);
  expect((await client.request("abc")).legs.map(({ engine }) => engine)).toEqual(["p0"]);
});

test("it lives while it starts, and is ready once it serves", async () => {
  expect((await ask("/readyz")).status).toBe(200);
  state = "starting";
  expect((await ask("/readyz")).status).toBe(503);
  expect((await ask("/livez")).status).toBe(200);
});

test("a wish to stop is noted with its defaults", async () => {
  expect((await ask("/v1/fleet/stop", {})).status).toBe(202);
  await new DaemonClient(socket).stop({ drainMs: 5, now: true });
  expect(wishes).toEqual([
    { drainMs: 30_000, now: false },
    { drainMs: 5, now: true },
  ]);
});

test.each([
  { path: "/v1/requests/zzz", status: 404, code: "request-unknown" },
  { path: "/v1/requests/ab", status: 400, code: "request-ambiguous" },
  { path: "/v1/nothing", status: 400, code: "usage" },
  { path: "/v1/fleet/stop", body: { drainMs: -1 }, status: 400, code: "usage" },
  { path: "/v1/fleet/stop", body: { drain: 1 }, status: 400, code: "usage" },
])("$path answers $status with the code $code", async ({ path, body, status, code }) => {
  const answer = await ask(path, body);
  expect(answer.status).toBe(status);
  expect(problemSchema.parse(answer.body)).toMatchObject({ status, code });
  expect(wishes).toEqual([]);
});

test("an error of the API is the same error at the client", async () => {
  const client = new DaemonClient(socket);
  await expect(client.request("zzz")).rejects.toMatchObject({
    code: "request-unknown",
    tryThis: "pdctl reqs --all lists those",
  });
  await expect(client.request("ab")).rejects.toMatchObject({ code: "request-ambiguous" });
});

test("a mistake of the daemon is a problem with status 500, and is told", async () => {
  requestsFail = true;
  expect((await ask("/v1/requests")).status).toBe(500);
  expect(mistakes).toHaveLength(1);
});

test("nobody on the socket means that no fleet runs", async () => {
  const error = await new DaemonClient(join(folder, "none.sock")).fleet().catch((found: unknown) => found);
  expect(error).toBeInstanceOf(PdctlError);
  expect(error).toMatchObject({ code: "fleet-not-running" });
});
