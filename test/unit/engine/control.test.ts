import { expect, test } from "vitest";
import { engineStateSchema } from "../../../src/contract/engine-http.ts";
import { eventually, expectError, post } from "./support/clients.ts";
import { runningEngine, secret } from "./support/running-engine.ts";

const known = { "x-pdctl-secret": secret };

test.each(["state", "requests", "requests/r1", "faults"])("GET /admin/v1/%s needs the secret", async (route) => {
  const { url } = await runningEngine();
  await expectError(await fetch(`${url}/admin/v1/${route}`), 403, /x-pdctl-secret is missing or wrong/);
});

test("an open engine asks nobody for the secret", async () => {
  const { url } = await runningEngine({ trusts: () => true });
  expect((await fetch(`${url}/admin/v1/state`)).status).toBe(200);
});

test("the state has the contract's shape", async () => {
  const { url } = await runningEngine();
  const state = await (await fetch(`${url}/admin/v1/state`, { headers: known })).json();
  expect(engineStateSchema.parse(state)).toMatchObject({ steps: 7, queues: { running: 2 } });
});

test("a request is failed by id, with words, and an unknown one is 404", async () => {
  const { url, native } = await runningEngine();
  post(`${url}/v1/completions`, { prompt: "x", rid: "r1" }).catch(() => undefined);
  await eventually(() => expect(native.submitted).toHaveLength(1));
  const failed = await post(`${url}/admin/v1/requests/r1/fail`, { why: "an operator asked" }, known);
  const held = { id: "r1", room: "7", stage: "inflight", pages: 3, pagesHeld: 0, ended: true };
  expect(await failed.json()).toEqual({ ...held, failed: true });
  expect(native.aborted).toEqual([{ id: "r1", why: { code: "aborted", words: "an operator asked" } }]);
  const again = await post(`${url}/admin/v1/requests/r1/fail`, { why: "again" }, known);
  expect(await again.json()).toEqual({ ...held, failed: false });
  expect(native.aborted).toHaveLength(1);
  await expectError(
    await post(`${url}/admin/v1/requests/r2/fail`, { why: "x" }, known),
    404,
    /keeps no record of the request "r2"/,
  );
  await expectError(await post(`${url}/admin/v1/requests/r1/fail`, {}, known), 400, /must be {"why": TEXT}/);
});

test("a loop that does not turn is said to have released nothing yet", async () => {
  const { url, native } = await runningEngine();
  native.turns = false;
  post(`${url}/v1/completions`, { prompt: "x", rid: "r1" }).catch(() => undefined);
  await eventually(() => expect(native.submitted).toHaveLength(1));
  const failed = await post(`${url}/admin/v1/requests/r1/fail`, { why: "x" }, known);
  expect(await failed.json()).toMatchObject({ failed: true, ended: false });
});

test("only live requests are listed where only those are asked for", async () => {
  const { url, native } = await runningEngine();
  for (const rid of ["r1", "r2"]) post(`${url}/v1/completions`, { prompt: "x", rid }).catch(() => undefined);
  await eventually(() => expect(native.submitted).toHaveLength(2));
  native.abort("r1", { code: "aborted", words: "x" });
  const ids = async (query: string): Promise<string[]> => {
    const { requests } = (await (await fetch(`${url}/admin/v1/requests${query}`, { headers: known })).json()) as {
      requests: { id: string }[];
    };
    return requests.map(({ id }) => id).sort();
  };
  expect(await ids("?live=true")).toEqual(["r2"]);
  expect(await ids("")).toEqual(["r1", "r2"]);
});

test("digits that name no request are a room", async () => {
  const { url, native } = await runningEngine();
  await post(`${url}/admin/v1/requests/9223372036854775807/fail`, { why: "x" }, known);
  expect(native.abortedRooms).toEqual([9223372036854775807n]);
});

test("a drained engine is unhealthy until it is resumed", async () => {
  const { url, native } = await runningEngine();
  await post(`${url}/admin/v1/drain`, "", known);
  expect(native.draining).toBe(true);
  const drained = await fetch(`${url}/health`);
  expect(drained.status).toBe(503);
  expect(await drained.json()).toMatchObject({ status: "draining" });
  await post(`${url}/admin/v1/resume`, "", known);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test("a loop that does not turn shows in health by its age", async () => {
  const { url, native } = await runningEngine();
  native.loopAgeMs = 3_600_000;
  const health = await fetch(`${url}/health`);
  expect(health.status).toBe(503);
  expect(await health.json()).toMatchObject({ status: "stalled", loopAgeMs: 3_600_000 });
});

test("faults are set, listed and cleared, where they are allowed", async () => {
  const { url } = await runningEngine();
  const faults = `${url}/admin/v1/faults`;
  expect(await (await post(faults, { name: "never-send" }, known)).json()).toMatchObject({ "never-send": true });
  await expectError(await post(faults, { name: "x" }, known), 400, /no fault point "x"; there are never-send/);
  const cleared = await fetch(faults, { method: "DELETE", headers: known });
  expect(await cleared.json()).toMatchObject({ "never-send": false });
  const strict = await runningEngine({ allowFaults: false });
  await expectError(await post(`${strict.url}/admin/v1/faults`, { name: "never-send" }, known), 403, /--allow-faults/);
});

test("the metrics tell queues, pages, totals and what HTTP answered", async () => {
  const { url } = await runningEngine();
  await fetch(`${url}/health`);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain('pdctl_engine_queue_requests{queue="running"} 2');
  expect(metrics).toContain('pdctl_engine_kv_pages{state="free"} 60');
  expect(metrics).toContain("pdctl_engine_requests_finished_total 6");
  expect(metrics).toContain('pdctl_engine_http_requests_total{route="/health",status="200"} 1');
  expect(metrics).not.toMatch(/^pdctl_engine_inflight_oldest_seconds /m);
});
