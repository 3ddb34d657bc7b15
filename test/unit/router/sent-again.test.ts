import { expect, test } from "vitest";
import { eventually, expectError, post } from "./support/clients.ts";
import { commit, type FixtureEngine, type FixtureLeg } from "./support/fixture-engine.ts";
import { decodeRow, prefillRow } from "./support/fleet-doors.ts";
import { type ManagedRouter, managedRouter } from "./support/managed-router.ts";

const scope = { engines: ["p0", "d0"] };

async function answerAt(engine: FixtureEngine, index = 0): Promise<void> {
  const leg = await engine.leg(index);
  commit(leg, "application/json");
  leg.response.end("{}");
}

function roomOf({ text }: FixtureLeg): string | undefined {
  return /"bootstrap_room":(\d+)/.exec(text)?.[1];
}

async function free({ parts }: ManagedRouter, engines: readonly FixtureEngine[]): Promise<void> {
  await eventually(() => {
    expect(parts.sender.waiting).toBe(1);
    for (const engine of engines) expect(engine.failed).not.toEqual([]);
  });
}

test("a request of held engines that has sent no byte is ended there and sent again, under another id and room", async () => {
  const router = await managedRouter();
  const { url, p, d, daemon } = router;
  const answer = post(`${url}/v1/completions`, { prompt: "x", seed: 7 }, { "x-request-id": "mine" });
  const [prefill, decode] = [await p.leg(), await d.leg()];
  await daemon.hold({ ...scope, epoch: 2 });
  await eventually(() => expect([prefill.cancelled(), decode.cancelled()]).toEqual([true, true]));
  await free(router, [p, d]);
  const id = String(prefill.body["rid"]);
  expect([...p.failed, ...d.failed]).toEqual([id, id]);
  expect(await daemon.requests()).toMatchObject([{ id, outcome: "open", held: true, attempt: 1 }]);
  await daemon.admit({ epoch: 2 });
  const again = await d.leg(1);
  expect(again.request.headers).toMatchObject({ "x-pdctl-attempt": "2", "x-pdctl-epoch": "2" });
  expect(again.body["rid"]).toMatch(/^[0-9a-f]{32}$/);
  expect(again.body).toMatchObject({ prompt: "x", seed: 7 });
  expect([id, roomOf(decode)]).not.toContain(again.body["rid"]);
  expect(roomOf(again)).not.toBe(roomOf(decode));
  expect(roomOf(again)).toBe(roomOf(await p.leg(1)));
  await answerAt(d, 1);
  const { status, headers } = await answer;
  expect([status, headers.get("x-pdctl-attempt"), headers.get("x-request-id")]).toEqual([200, "2", "mine"]);
  expect(headers.get("x-pdctl-request-id")).toBe(again.body["rid"]);
  const [record] = await daemon.requests();
  expect(record).toMatchObject({ id: again.body["rid"], earlier: [id], attempt: 2, outcome: "answered" });
  expect(router.parts.records.find(id)).toEqual(record);
});

test("nothing is sent again before its legs have ended on engines that live on", async () => {
  const router = await managedRouter();
  const { url, p, d, daemon } = router;
  const answer = post(`${url}/v1/completions`, { prompt: "x" });
  await Promise.all([p.leg(), d.leg()]);
  p.ends = false;
  await daemon.hold(scope);
  await free(router, [p, d]);
  await daemon.admit();
  await eventually(() => expect(p.failed.length).toBeGreaterThan(2));
  expect([p.legs.length, d.legs.length]).toEqual([1, 1]);
  p.ends = true;
  await answerAt(d, 1);
  expect((await answer).status).toBe(200);
});

test("an engine that is another one by now needs no other proof", async () => {
  const router = await managedRouter();
  const { url, p, d, daemon } = router;
  const answer = post(`${url}/v1/completions`, { prompt: "x" });
  await Promise.all([p.leg(), d.leg()]);
  d.ends = false;
  await daemon.hold(scope);
  await free(router, [p, d]);
  await daemon.put([prefillRow("p0", p), decodeRow("d0", d, { generation: 2 })], { epoch: 2 });
  await daemon.admit({ epoch: 2 });
  await answerAt(d, 1);
  expect((await answer).status).toBe(200);
});

test.each([{ by: "rid" }, { by: "bootstrap_room" }])(
  "a subject of the hold, by its $by, is told why",
  async ({ by }) => {
    const { url, d, daemon } = await managedRouter();
    const answer = post(`${url}/v1/completions`, { prompt: "x" });
    const leg = await d.leg();
    const subject = by === "rid" ? String(leg.body["rid"]) : String(roomOf(leg));
    await daemon.hold({ ...scope, subjects: [subject], why: "it stands still in transfer" });
    await expectError(await answer, 503, "engine_restarted", /it stands still in transfer/);
    await eventually(() => expect(leg.cancelled()).toBe(true));
  },
);

test("a stream that has begun on held engines ends with an error event", async () => {
  const { url, d, daemon } = await managedRouter();
  const answer = post(`${url}/v1/completions`, { prompt: "x", stream: true });
  const leg = await d.leg();
  commit(leg);
  leg.response.write("data: a\n\n");
  const stream = await answer;
  await daemon.hold(scope);
  const [, last, ...rest] = (await stream.text()).split("\n\n");
  expect(last).toMatch(/Engine p0 is being restarted: decode d0 stands still.*"code":"engine_restarted"/);
  expect(rest).toEqual([""]);
});

test("an answer in one piece that decode had begun is sent again, since the client has seen nothing", async () => {
  const { url, p, d, daemon } = await managedRouter();
  const answer = post(`${url}/v1/completions`, { prompt: "x" });
  const leg = await d.leg();
  commit(leg, "application/json");
  leg.response.write('{"half":');
  await eventually(async () => expect((await daemon.requests())[0]).toMatchObject({ committed: true, bytes: 8 }));
  await daemon.hold(scope);
  await daemon.admit();
  await p.leg(1);
  await answerAt(d, 1);
  expect(await (await answer).json()).toEqual({});
});

test("nothing is sent a third time", async () => {
  const { url, d, daemon } = await managedRouter();
  const answer = post(`${url}/v1/completions`, { prompt: "x" });
  await d.leg();
  await daemon.hold(scope);
  await daemon.admit();
  await d.leg(1);
  await daemon.hold(scope);
  const error = await answer;
  expect([error.headers.get("x-pdctl-attempt"), error.headers.get("retry-after")]).toEqual(["2", "1"]);
  await expectError(error, 503, "engine_restarted", /is being restarted/);
  expect(d.legs).toHaveLength(2);
});

test("with replay: never nothing is sent again", async () => {
  const { url, d, daemon } = await managedRouter({ replay: "never" });
  const answer = post(`${url}/v1/completions`, { prompt: "x" });
  await d.leg();
  await daemon.hold(scope);
  await expectError(await answer, 503, "engine_restarted", /is being restarted/);
});

test("a client that leaves meanwhile is not sent again", async () => {
  const router = await managedRouter();
  const { url, p, d, daemon, parts } = router;
  const client = new AbortController();
  post(`${url}/v1/completions`, { prompt: "x" }, {}, client.signal).catch(() => undefined);
  await d.leg();
  await daemon.hold(scope);
  await free(router, [p, d]);
  client.abort();
  await eventually(() => expect(parts.records.totals.clientGone).toBe(1));
  await daemon.admit();
  expect(d.legs).toHaveLength(1);
});

test("the deadline of the first token goes on while a request waits", async () => {
  const { url, d, daemon } = await managedRouter({ firstTokenMs: 3_000 });
  const answer = post(`${url}/v1/completions`, { prompt: "x" });
  await d.leg();
  await daemon.hold(scope);
  await expectError(await answer, 503, "engine_restarted", /is being restarted/);
});

test("requests beyond what may wait end at once", async () => {
  const { url, d, daemon } = await managedRouter({ room: { waitersMax: 1 } });
  const answers = [1, 2].map(async () => post(`${url}/v1/completions`, { prompt: "x" }));
  await d.leg(1);
  await daemon.hold(scope);
  const first = await Promise.race(answers);
  await expectError(first, 503, "engine_restarted", /is being restarted/);
  await daemon.admit();
  await answerAt(d, 2);
  expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 503]);
});
