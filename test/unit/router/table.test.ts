import { expect, test } from "vitest";
import { eventually, expectError, post } from "./support/clients.ts";
import { commit, FixtureEngine } from "./support/fixture-engine.ts";
import { Daemon, decodeRow, prefillRow } from "./support/fleet-doors.ts";
import { managedRouter } from "./support/managed-router.ts";
import { routerBefore, secret } from "./support/running-router.ts";

const known = { "x-pdctl-secret": secret };

async function answerAt(engine: FixtureEngine, index = 0): Promise<void> {
  const leg = await engine.leg(index);
  commit(leg, "application/json");
  leg.response.end("{}");
}

test("a router without engines says so, to try later, until it is told some", async () => {
  const { url } = await routerBefore({ prefill: [], decode: [], both: [] });
  const early = await post(`${url}/v1/completions`, { prompt: "x" });
  expect(early.headers.get("retry-after")).toBe("1");
  await expectError(early, 503, "starting", /No engine takes requests/);
  expect((await fetch(`${url}/health`)).status).toBe(503);
  const both = await new FixtureEngine().listen();
  await new Daemon(url).put([{ name: "b0", role: "both", url: both.url, generation: 1, admits: true }]);
  const answer = post(`${url}/v1/completions`, { prompt: "x" });
  await answerAt(both);
  expect((await answer).status).toBe(200);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test("a table of an older epoch is refused, and nothing changes; legs carry the epoch", async () => {
  const { url, d, p, daemon, parts } = await managedRouter();
  await daemon.put([prefillRow("p0", p), decodeRow("d0", d)], { epoch: 4 });
  await expect(daemon.put([], { epoch: 3 })).rejects.toThrow(/409: Epoch 3 is over: this router is in epoch 4/);
  await expect(daemon.hold({ epoch: 3 })).rejects.toThrow(/409/);
  await expect(daemon.admit({ epoch: 3 })).rejects.toThrow(/409/);
  expect(parts.edges.counts()).toHaveLength(1);
  expect(parts.sender.hold).toBeUndefined();
  post(`${url}/v1/completions`, { prompt: "x" }).catch(() => undefined);
  expect((await d.leg()).request.headers).toMatchObject({ "x-pdctl-epoch": "4", "x-pdctl-attempt": "1" });
});

test.each([
  { change: "vanishes", row: [] },
  { change: "has another generation", row: [{ generation: 2 }] },
])("an engine that $change loses its connections, and its streams end with engine_restarted", async ({ row }) => {
  const { url, p, d, daemon } = await managedRouter();
  const answer = post(`${url}/v1/completions`, { prompt: "x", stream: true });
  const leg = await d.leg();
  commit(leg);
  leg.response.write("data: a\n\n");
  const stream = await answer;
  await daemon.put([prefillRow("p0", p), ...row.map((more) => decodeRow("d0", d, more))]);
  expect((await stream.text()).split("\n\n")[1]).toMatch(
    /"message":"Engine d0 was taken out.*"code":"engine_restarted"/,
  );
  await eventually(() => expect(leg.cancelled()).toBe(true));
});

test("an engine that stays as it is keeps its connections and what it counted", async () => {
  const { url, p, d, daemon, parts } = await managedRouter();
  const answer = post(`${url}/v1/completions`, { prompt: "x" });
  await d.leg();
  await daemon.put([prefillRow("p0", p), decodeRow("d0", d, { admits: false })], { epoch: 2 });
  await answerAt(d);
  expect((await answer).status).toBe(200);
  expect(parts.edges.counts()).toEqual([{ prefill: "p0", decode: "d0", open: 0, attemptsTotal: 1, okTotal: 1 }]);
});

test("engines that admit nothing and pairs in quarantine take no new requests", async () => {
  const { url, p, d, daemon } = await managedRouter();
  const [p1, d1] = [await new FixtureEngine().listen(), await new FixtureEngine().listen()];
  const rows = [prefillRow("p0", p), prefillRow("p1", p1), decodeRow("d0", d), decodeRow("d1", d1, { admits: false })];
  await daemon.put(rows, { quarantined: [{ prefill: "p0", decode: "d0" }] });
  for (let index = 0; index < 3; index += 1) {
    const answer = post(`${url}/v1/completions`, { prompt: "x" });
    await p1.leg(index);
    await answerAt(d, index);
    expect((await answer).status).toBe(200);
  }
  expect([...p.legs, ...d1.legs]).toEqual([]);
  await daemon.put(rows, { quarantined: ["p0", "p1"].map((prefill) => ({ prefill, decode: "d0" })) });
  await expectError(await post(`${url}/v1/completions`, { prompt: "x" }), 503, "starting", /No engine takes/);
});

test("with the secret a request picks its pair, also in quarantine, and as a canary it is counted nowhere", async () => {
  const { url, p, d, daemon, parts } = await managedRouter();
  await daemon.put([prefillRow("p0", p), decodeRow("d0", d, { admits: false })], {
    quarantined: [{ prefill: "p0", decode: "d0" }],
  });
  const headers = { ...known, "x-pdctl-edge": "p0:d0", "x-pdctl-canary": "1" };
  const answer = post(`${url}/v1/completions`, { prompt: "x" }, headers);
  await d.leg();
  expect(await daemon.requests()).toMatchObject([{ outcome: "open", canary: true, prefill: "p0", decode: "d0" }]);
  await answerAt(d);
  expect((await answer).status).toBe(200);
  expect(parts.edges.counts()).toMatchObject([{ open: 0, attemptsTotal: 0, okTotal: 0 }]);
  expect(parts.records.totals).toMatchObject({ requests: 0, answered: 0 });
  expect(await daemon.requests()).toMatchObject([{ outcome: "answered", canary: true }]);
});

test("a pair is picked by the fleet only, and must be there", async () => {
  const { url } = await managedRouter();
  const ask = async (headers: Record<string, string>): Promise<Response> =>
    post(`${url}/v1/completions`, { prompt: "x" }, headers);
  await expectError(await ask({ "x-pdctl-edge": "p0:d0" }), 403, "forbidden", /x-pdctl-edge is for the fleet/);
  await expectError(await ask({ "x-pdctl-canary": "1" }), 403, "forbidden", /x-pdctl-canary is for the fleet/);
  await expectError(await ask({ ...known, "x-pdctl-edge": "p0:d9" }), 404, "not-found", /no edge "p0:d9"/);
});

test("a table that cannot be right is refused with what is wrong, and the old one stays", async () => {
  const { p, d, daemon, parts } = await managedRouter();
  const twice = [decodeRow("d0", d), decodeRow("d0", d)];
  await expect(daemon.put(twice)).rejects.toThrow(/400: Engine d0 is there twice/);
  await expect(daemon.put([prefillRow("p0", p, { bootstrap: "nowhere" })])).rejects.toThrow(
    /bootstrap address HOST:PORT/,
  );
  await expect(daemon.put([decodeRow("d0", d, { url: "ftp://x" })])).rejects.toThrow(/URL of http/);
  await expect(daemon.put([decodeRow("d0", d)], { epoch: -1 })).rejects.toThrow(/400: epoch is not as it must be/);
  expect(parts.edges.counts()).toHaveLength(1);
});
