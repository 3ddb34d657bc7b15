import { expect, test } from "vitest";
import { eventually, expectError, post } from "./support/clients.ts";
import { commit, FixtureEngine } from "./support/fixture-engine.ts";
import { decodeRow, prefillRow } from "./support/fleet-doors.ts";
import { managedRouter } from "./support/managed-router.ts";

async function answerAt(engine: FixtureEngine, index = 0): Promise<void> {
  const leg = await engine.leg(index);
  commit(leg, "application/json");
  leg.response.end("{}");
}

test.each(["p", "d"] as const)(
  "requests of a %s that dies wait for its next life, and are answered by it",
  async (who) => {
    const router = await managedRouter();
    const { url, p, d, daemon, parts } = router;
    const answers = [1, 2].map(async () => post(`${url}/v1/completions`, { prompt: "x" }));
    await Promise.all([p.leg(1), d.leg(1)]);
    router[who].die();
    await eventually(() => expect(parts.sender.waiting).toBe(2));
    const next = await new FixtureEngine().listen();
    const [nextP, nextD] = who === "p" ? [next, d] : [p, next];
    const generation = { generation: 2 };
    await daemon.put([
      prefillRow("p0", nextP, who === "p" ? generation : {}),
      decodeRow("d0", nextD, who === "d" ? generation : {}),
    ]);
    const first = who === "d" ? 0 : 2;
    await Promise.all([answerAt(nextD, first), answerAt(nextD, first + 1)]);
    for (const answer of await Promise.all(answers))
      expect([answer.status, answer.headers.get("x-pdctl-attempt")]).toEqual([200, "2"]);
  },
);

test("the only request at a crash is not sent again: it may be why", async () => {
  const { url, p, d } = await managedRouter();
  const answer = post(`${url}/v1/completions`, { prompt: "x" });
  await Promise.all([p.leg(), d.leg()]);
  d.die();
  await expectError(
    await answer,
    502,
    "engine-lost",
    /d0 closed the connection.*only one there, and is not sent again/,
  );
});

test("a request that came after the crash had no part in it, and waits", async () => {
  const { url, p, d, daemon, parts } = await managedRouter();
  d.die();
  const answer = post(`${url}/v1/completions`, { prompt: "x" });
  await eventually(() => expect(parts.sender.waiting).toBe(1));
  const next = await new FixtureEngine().listen();
  await daemon.put([prefillRow("p0", p), decodeRow("d0", next, { generation: 2 })]);
  await answerAt(next);
  expect((await answer).status).toBe(200);
});

test("without another life of the engine in time, the client hears of its loss", async () => {
  const { url, d } = await managedRouter({ room: { waitMs: 200 } });
  d.die();
  const answer = await post(`${url}/v1/completions`, { prompt: "x" });
  expect(answer.headers.get("retry-after")).toBe("1");
  await expectError(answer, 502, "engine-lost", /d0 refuses connections/);
});

test("a hold that ends without an edge is not the end for who awaits a lost engine", async () => {
  const { url, p, d, daemon, parts } = await managedRouter();
  d.die();
  const answer = post(`${url}/v1/completions`, { prompt: "x" });
  await eventually(() => expect(parts.sender.waiting).toBe(1));
  await daemon.hold({ engines: ["d0"] });
  await daemon.admit();
  await eventually(async () => expect((await daemon.requests())[0]).toMatchObject({ outcome: "open", held: true }));
  const next = await new FixtureEngine().listen();
  await daemon.put([prefillRow("p0", p), decodeRow("d0", next, { generation: 2 })]);
  await answerAt(next);
  expect((await answer).status).toBe(200);
});

test("a stream that had begun on an engine that dies ends with engine_restarted", async () => {
  const { url, d } = await managedRouter();
  const answer = post(`${url}/v1/completions`, { prompt: "x", stream: true });
  const leg = await d.leg();
  commit(leg);
  leg.response.write("data: a\n\n");
  const stream = await answer;
  d.die();
  expect((await stream.text()).split("\n\n")[1]).toMatch(
    /Engine d0 closed the connection.*cannot be continued.*"code":"engine_restarted"/,
  );
});

test("what waits for a lost engine goes to another that answers", async () => {
  const { url, p, d, daemon } = await managedRouter();
  const d1 = await new FixtureEngine().listen();
  const answers = [1, 2].map(async () => post(`${url}/v1/completions`, { prompt: "x" }));
  await d.leg(1);
  await daemon.put([prefillRow("p0", p), decodeRow("d0", d), decodeRow("d1", d1)]);
  d.die();
  await Promise.all([answerAt(d1, 0), answerAt(d1, 1)]);
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
});
