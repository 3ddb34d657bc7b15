import { expect, test } from "vitest";
import { routerStateSchema } from "../../../src/contract/router-http.ts";
import { eventually, expectError, post } from "./support/clients.ts";
import { commit, FixtureEngine } from "./support/fixture-engine.ts";
import { decodeRow, prefillRow } from "./support/fleet-doors.ts";
import { type ManagedRouter, managedRouter } from "./support/managed-router.ts";
import { secret } from "./support/running-router.ts";

const known = { "x-pdctl-secret": secret };

async function answerAt(engine: FixtureEngine, index = 0): Promise<void> {
  const leg = await engine.leg(index);
  commit(leg, "application/json");
  leg.response.end("{}");
}

async function waiting({ parts }: ManagedRouter, count: number): Promise<void> {
  await eventually(() => expect(parts.sender.waiting).toBe(count));
}

test("new requests wait while a hold lasts, are listed as held, and are sent when it ends", async () => {
  const router = await managedRouter();
  const { url, p, d, daemon } = router;
  await daemon.hold();
  const answers = [1, 2].map(async () => post(`${url}/v1/completions`, { prompt: "x" }));
  await waiting(router, 2);
  const state = await (await fetch(`${url}/admin/v1/state`, { headers: known })).json();
  expect(routerStateSchema.parse(state)).toMatchObject({
    epoch: 1,
    open: 2,
    hold: { held: 2, why: expect.stringContaining("stands still") },
  });
  const [record] = await daemon.requests();
  expect(record).toMatchObject({ outcome: "open", held: true, deadline: { name: "held" } });
  expect(record).not.toHaveProperty("decode");
  expect([...p.legs, ...d.legs]).toEqual([]);
  await daemon.admit();
  await Promise.all([answerAt(d, 0), answerAt(d, 1)]);
  for (const answer of await Promise.all(answers)) {
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-pdctl-attempt")).toBeNull();
  }
  expect((await d.leg()).request.headers["x-pdctl-attempt"]).toBe("1");
});

test.each([
  { room: { waitersMax: 1 }, bound: "so many requests" },
  { room: { bytesMax: 20 }, bound: "so many bytes" },
])("no more than $bound wait: the next is told to come later", async ({ room }) => {
  const router = await managedRouter({ room });
  const { url, daemon } = router;
  await daemon.hold();
  post(`${url}/v1/completions`, { prompt: "x" }).catch(() => undefined);
  await waiting(router, 1);
  const second = await post(`${url}/v1/completions`, { prompt: "x" });
  expect(second.headers.get("retry-after")).toBe("1");
  await expectError(second, 503, "held", /1 requests wait already.*stands still/);
});

test("nobody waits beyond the limit", async () => {
  const { url, daemon } = await managedRouter({ room: { waitMs: 100 } });
  await daemon.hold();
  const answer = await post(`${url}/v1/completions`, { prompt: "x" });
  expect(answer.headers.get("retry-after")).toBe("1");
  await expectError(answer, 503, "held", /No engine took it in time/);
});

test("a client that leaves makes room for another", async () => {
  const router = await managedRouter({ room: { waitersMax: 1 } });
  const { url, d, daemon, parts } = router;
  await daemon.hold();
  const client = new AbortController();
  post(`${url}/v1/completions`, { prompt: "x" }, {}, client.signal).catch(() => undefined);
  await waiting(router, 1);
  client.abort();
  await waiting(router, 0);
  expect(parts.records.totals.clientGone).toBe(1);
  const next = post(`${url}/v1/completions`, { prompt: "x" });
  await waiting(router, 1);
  await daemon.admit();
  await answerAt(d);
  expect((await next).status).toBe(200);
});

test("a lease that is not renewed lapses: what waits goes to an engine that answers", async () => {
  const { url, d, daemon } = await managedRouter();
  await daemon.hold({ leaseMs: 500 });
  const answer = post(`${url}/v1/completions`, { prompt: "x" });
  await answerAt(d);
  expect((await answer).status).toBe(200);
});

test("where none answers when the lease lapses, what waits is told to come later", async () => {
  const { url, d, daemon } = await managedRouter();
  d.die();
  await daemon.hold({ leaseMs: 2_000 });
  const answer = await post(`${url}/v1/completions`, { prompt: "x" });
  expect(answer.headers.get("retry-after")).toBe("1");
  await expectError(answer, 503, "held", /No engine took it/);
});

test("a hold that is admitted without an edge tells all who wait to come later", async () => {
  const router = await managedRouter();
  const { url, p, d, daemon } = router;
  await daemon.hold();
  const answer = post(`${url}/v1/completions`, { prompt: "x" });
  await waiting(router, 1);
  await daemon.put([prefillRow("p0", p), decodeRow("d0", d, { admits: false })]);
  await daemon.admit();
  await expectError(await answer, 503, "held", /No engine took it/);
});

test("what another edge can take does not wait for a hold of some engines", async () => {
  const router = await managedRouter();
  const { url, p, d, daemon } = router;
  const [p1, d1] = [await new FixtureEngine().listen(), await new FixtureEngine().listen()];
  await daemon.put([prefillRow("p0", p), prefillRow("p1", p1), decodeRow("d0", d), decodeRow("d1", d1)]);
  await daemon.hold({ engines: ["p0", "d0"] });
  const answer = post(`${url}/v1/completions`, { prompt: "x" });
  await p1.leg();
  await answerAt(d1);
  expect((await answer).status).toBe(200);
  expect([...p.legs, ...d.legs]).toEqual([]);
});

test("a canary goes through a hold, and its renewal leaves it alone", async () => {
  const router = await managedRouter();
  const { url, d, daemon } = router;
  const scope = { engines: ["p0", "d0"] };
  await daemon.hold(scope);
  const headers = { ...known, "x-pdctl-edge": "p0:d0", "x-pdctl-canary": "1" };
  const answer = post(`${url}/v1/completions`, { prompt: "x" }, headers);
  await d.leg();
  await daemon.hold(scope);
  await answerAt(d);
  expect((await answer).status).toBe(200);
});
