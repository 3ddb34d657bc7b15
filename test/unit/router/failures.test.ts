import { expect, test } from "vitest";
import { eventually, expectError, post } from "./support/clients.ts";
import { commit, FixtureEngine, fail, succeed } from "./support/fixture-engine.ts";
import { routerBefore, runningRouter } from "./support/running-router.ts";

const streamed = { prompt: "x", stream: true };

test("prefill that fails before commit ends the request with its words and cancels decode", async () => {
  const { url, p, d } = await runningRouter();
  const answer = post(`${url}/v1/completions`, streamed);
  const decode = await d.leg();
  fail(await p.leg(), 504, "inflight-timeout", "KV did not move for 2 s.");
  await expectError(await answer, 504, "inflight-timeout", /did not move/);
  await eventually(() => expect(decode.cancelled()).toBe(true));
});

test("prefill that fails after commit is counted as ack lost, and the answer goes on", async () => {
  const { url, p, d, parts } = await runningRouter();
  const answer = post(`${url}/v1/completions`, streamed);
  const decode = await d.leg();
  commit(decode);
  await answer;
  fail(await p.leg(), 502, "peer-lost", "Decode is gone.");
  await eventually(() => expect(parts.records.totals.ackLost).toBe(1));
  decode.response.end("data: [DONE]\n\n");
  expect(await (await answer).text()).toBe("data: [DONE]\n\n");
  expect(parts.records.totals).toMatchObject({ answered: 1, failed: 0 });
});

test("prefill that never ends after the answer is given up and counted as ack lost", async () => {
  const { url, p, d, parts } = await runningRouter({ ackMs: 1 });
  const answer = post(`${url}/v1/completions`, streamed);
  commit(await d.leg());
  (await d.leg()).response.end("data: [DONE]\n\n");
  await (await answer).text();
  const prefill = await p.leg();
  await eventually(() => expect(prefill.cancelled()).toBe(true));
  expect(parts.records.totals).toMatchObject({ answered: 1, ackLost: 1 });
});

test.each([
  { first: "decode" as const, name: "decode says first that its peer failed" },
  { first: "prefill" as const, name: "prefill says first what is wrong" },
])("the root cause wins when $name", async ({ first }) => {
  const { url, p, d } = await runningRouter();
  const answer = post(`${url}/v1/completions`, streamed);
  const [prefill, decode] = [await p.leg(), await d.leg()];
  if (first === "decode") fail(decode, 502, "peer-failed", "Prefill failed it.");
  fail(prefill, 504, "inflight-timeout", "KV did not move for 2 s.");
  await expectError(await answer, 504, "inflight-timeout", /did not move/);
});

test("a leg that only says that the other failed is believed after a short wait", async () => {
  const { url, d } = await runningRouter({ echoMs: 1 });
  const answer = post(`${url}/v1/completions`, streamed);
  fail(await d.leg(), 502, "peer-lost", "Prefill is gone.");
  await expectError(await answer, 502, "peer-lost", /Prefill is gone/);
});

test("what one leg tells of the other's deadline is told as that deadline, in its words", async () => {
  const { url, p } = await runningRouter({ echoMs: 1 });
  const answer = post(`${url}/v1/completions`, streamed);
  fail(await p.leg(), 502, "peer-failed", "d0 failed it: inflight-timeout: KV did not move for 2 s.");
  await expectError(await answer, 504, "inflight-timeout", /d0 failed it.*did not move for 2 s/);
});

test.each([true, false])(
  "decode that dies after commit ends the answer with an error, streamed: %s",
  async (stream) => {
    const { url, d, parts } = await runningRouter();
    const answer = post(`${url}/v1/completions`, { prompt: "x", stream });
    const decode = await d.leg();
    commit(decode);
    decode.response.write("data: half an ev");
    if (stream) await answer;
    await eventually(() => expect(parts.records.all()[0]?.bytes).toBeGreaterThan(0));
    d.die();
    if (stream) {
      const events = (await (await answer).text()).split("\n\n");
      expect(events[0]).toBe("data: half an ev");
      expect(events[1]).toMatch(/^data: {"error":{"message":"Engine d0 closed the connection/);
    } else {
      await expectError(await answer, 502, "engine-lost", /Engine d0 closed the connection/);
    }
    expect(parts.records.all()[0]).toMatchObject({ outcome: "failed", failure: { code: "engine-lost" } });
  },
);

test("decode that dies before commit is an error with a status", async () => {
  const { url, d } = await runningRouter();
  const answer = post(`${url}/v1/completions`, streamed);
  await d.leg();
  d.die();
  await expectError(await answer, 502, "engine-lost", /Engine d0 closed the connection/);
});

test("a failure that decode tells in a trailer is the status of an answer in one piece", async () => {
  const { url, d, parts } = await runningRouter();
  const answer = post(`${url}/v1/completions`, { prompt: "x" });
  const { response } = await d.leg();
  commit(await d.leg(), "application/json");
  response.addTrailers({ "x-pdctl-failure": "pool-exhausted" });
  response.end(JSON.stringify({ error: { message: "No page is free.", code: "pool-exhausted" } }));
  await expectError(await answer, 503, "pool-exhausted", /No page is free/);
  expect(parts.records.totals.failed).toBe(1);
});

test("an engine that refuses connections is an error that names it", async () => {
  const d = await new FixtureEngine().listen();
  const gone = await new FixtureEngine().listen();
  const url = gone.url;
  gone.die();
  const prefill = { name: "p0", url, bootstrap: { host: "127.0.0.1", port: 1 } };
  const router = await routerBefore({ prefill: [prefill], decode: [{ name: "d0", url: d.url }], both: [] });
  const answer = post(`${router.url}/v1/completions`, streamed);
  await expectError(await answer, 502, "engine-lost", /Engine p0 refuses connections/);
});

test("an engine that refuses the router's secret is not blamed on the client", async () => {
  const { url, p } = await runningRouter();
  const answer = post(`${url}/v1/completions`, streamed);
  fail(await p.leg(), 403, "forbidden", "The header x-pdctl-secret is missing or wrong.");
  await expectError(await answer, 502, "peer-refused", /Engine p0 refuses this router/);
});

test("without a first token in time the client hears who did not answer, and both legs end", async () => {
  const { url, p, d } = await runningRouter({ firstTokenMs: 200 });
  const answer = post(`${url}/v1/completions`, streamed);
  const [prefill, decode] = [await p.leg(), await d.leg()];
  await expectError(
    await answer,
    504,
    "first-token-timeout",
    /within 0.2 s: prefill engine p0 has not finished, decode engine d0 has not begun/,
  );
  await eventually(() => expect([prefill.cancelled(), decode.cancelled()]).toEqual([true, true]));
});

test("a gap between tokens beyond the limit ends the stream with an error", async () => {
  const { url, p, d } = await runningRouter({ tokenGapMs: 200 });
  const answer = post(`${url}/v1/completions`, streamed);
  const decode = await d.leg();
  commit(decode);
  decode.response.write("data: a\n\n");
  succeed(await p.leg());
  const events = (await (await answer).text()).split("\n\n");
  expect(events[1]).toMatch(/Engine d0 sent nothing for 0.2 s/);
  await eventually(() => expect(decode.cancelled()).toBe(true));
});

test("a client that stays but reads nothing is let go", async () => {
  const { url, p, d, parts } = await runningRouter({ tokenGapMs: 500 });
  const answer = post(`${url}/v1/completions`, streamed);
  const decode = await d.leg();
  commit(decode);
  succeed(await p.leg());
  await answer;
  const piece = Buffer.alloc(1024 * 1024, "x");
  for (let pieces = 0; pieces < 64; pieces += 1) decode.response.write(piece);
  await eventually(() =>
    expect(parts.records.all()[0]).toMatchObject({ outcome: "failed", failure: { code: "aborted" } }),
  );
  await eventually(() => expect(decode.cancelled()).toBe(true));
});
