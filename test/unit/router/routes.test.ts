import { expect, test } from "vitest";
import { routerRequestSchema, routerStateSchema } from "../../../src/contract/router-http.ts";
import { eventually, expectError, post } from "./support/clients.ts";
import { commit, FixtureEngine, succeed } from "./support/fixture-engine.ts";
import { routerBefore, runningRouter, secret } from "./support/running-router.ts";

const known = { "x-pdctl-secret": secret };

test("an open request is listed with its room and edge, and can be failed with words", async () => {
  const { url, p, d } = await runningRouter();
  const answer = post(`${url}/v1/completions`, { prompt: "x" }, { "x-request-id": "mine" });
  const [prefill, decode] = [await p.leg(), await d.leg()];
  const { requests } = (await (await fetch(`${url}/admin/v1/requests`, { headers: known })).json()) as {
    requests: unknown[];
  };
  const record = routerRequestSchema.parse(requests[0]);
  const room = /"bootstrap_room":(\d+)/.exec(prefill.text)?.[1];
  expect(record).toMatchObject({
    clientId: "mine",
    room,
    prefill: "p0",
    decode: "d0",
    outcome: "open",
    committed: false,
    stream: false,
  });
  const failed = await post(`${url}/admin/v1/requests/${record.id}/fail`, { why: "an operator asked" }, known);
  expect(await failed.json()).toEqual({ id: record.id, failed: true });
  await expectError(await answer, 503, "aborted", /an operator asked/);
  await eventually(() => expect([prefill.cancelled(), decode.cancelled()]).toEqual([true, true]));
  const again = await post(`${url}/admin/v1/requests/${record.id}/fail`, { why: "again" }, known);
  expect(await again.json()).toEqual({ id: record.id, failed: false });
});

test("the deadline that fires next is shown, and only open requests where those are asked for", async () => {
  const { url, p, d } = await runningRouter();
  const answer = post(`${url}/v1/completions`, { prompt: "x", stream: true });
  const decode = await d.leg();
  const listed = async (): Promise<unknown> =>
    ((await (await fetch(`${url}/admin/v1/requests?live=true`, { headers: known })).json()) as { requests: unknown[] })
      .requests;
  expect(await listed()).toMatchObject([{ deadline: { name: "first-token" } }]);
  commit(decode);
  await answer;
  expect(await listed()).toMatchObject([{ deadline: { name: "token-gap" } }]);
  decode.response.end("data: [DONE]\n\n");
  succeed(await p.leg());
  await (await answer).text();
  expect(await listed()).toEqual([]);
});

test("the state counts what is open and how requests ended", async () => {
  const { url, p, d } = await runningRouter();
  const answer = post(`${url}/v1/completions`, { prompt: "x", stream: true });
  commit(await d.leg());
  succeed(await p.leg());
  (await d.leg()).response.end("data: [DONE]\n\n");
  await (await answer).text();
  const state = routerStateSchema.parse(await (await fetch(`${url}/admin/v1/state`, { headers: known })).json());
  expect(state).toMatchObject({
    open: 0,
    totals: { requests: 1, answered: 1 },
    edges: [{ prefill: "p0", decode: "d0", open: 0, attemptsTotal: 1, okTotal: 1 }],
  });
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain('pdctl_router_requests_total{outcome="answered"} 1');
  expect(metrics).toContain('pdctl_router_edge_ok_total{prefill="p0",decode="d0"} 1');
});

test("control routes need the secret, and an unknown request is 404", async () => {
  const { url } = await runningRouter();
  await expectError(await fetch(`${url}/admin/v1/state`), 403, "forbidden", /missing or wrong/);
  await expectError(
    await fetch(`${url}/admin/v1/requests/none`, { headers: known }),
    404,
    "not-found",
    /keeps no record/,
  );
});

test("records of ended requests are bounded", async () => {
  const { url, p, d, parts } = await runningRouter();
  for (let index = 0; index < 5; index += 1) {
    const answer = post(`${url}/v1/completions`, { prompt: "x" });
    commit(await d.leg(index), "application/json");
    (await d.leg(index)).response.end("{}");
    succeed(await p.leg(index));
    await (await answer).text();
  }
  expect(parts.records.all()).toHaveLength(3);
  expect(parts.records.totals.answered).toBe(5);
});

test("requests go where the least is open", async () => {
  const engines = await Promise.all([0, 1, 2, 3].map(async () => new FixtureEngine().listen()));
  const [p0, p1, d0, d1] = engines as [FixtureEngine, FixtureEngine, FixtureEngine, FixtureEngine];
  const bootstrap = { host: "127.0.0.1", port: 1 };
  const { url } = await routerBefore({
    prefill: [
      { name: "p0", url: p0.url, bootstrap },
      { name: "p1", url: p1.url, bootstrap },
    ],
    decode: [
      { name: "d0", url: d0.url },
      { name: "d1", url: d1.url },
    ],
    both: [],
  });
  for (let index = 0; index < 4; index += 1) post(`${url}/v1/completions`, { prompt: "x" }).catch(() => undefined);
  await eventually(() => expect(engines.map((engine) => engine.legs.length)).toEqual([2, 2, 2, 2]));
});

test("an engine that does both gets a plain request", async () => {
  const both = await new FixtureEngine().listen();
  const { url } = await routerBefore({ prefill: [], decode: [], both: [{ name: "b0", url: both.url }] });
  const answer = post(`${url}/v1/completions`, { prompt: "x", bootstrap_room: 5 });
  const leg = await both.leg();
  expect(leg.body).not.toHaveProperty("bootstrap_room");
  leg.response.writeHead(200, { "content-type": "application/json" }).end('{"id":"cmpl-1"}');
  expect(await (await answer).json()).toEqual({ id: "cmpl-1" });
});

test("the models are those of an engine, and health tells what is open", async () => {
  const { url } = await runningRouter();
  expect(await (await fetch(`${url}/v1/models`)).json()).toMatchObject({ data: [{ id: "tiny" }] });
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: "ok", name: "r0", open: 0 });
});
