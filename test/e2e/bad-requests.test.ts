import { afterAll, beforeAll, expect, test } from "vitest";
import { complete, post } from "./support/completions.ts";
import { Fleet } from "./support/fleet.ts";
import { model } from "./support/model.ts";

let fleet: Fleet;
beforeAll(async () => {
  fleet = await Fleet.start({ decode: "pool: 32MiB" }); // 1,456 tokens: less than the context
});
afterAll(async () => await fleet.end());

const goodAsk = { prompt: "The capital of France is", max_tokens: 4 };

async function expectAlive(): Promise<void> {
  expect(await complete(fleet.url, goodAsk), fleet.said()).toMatchObject({ status: 200 });
}

test.each([
  { what: "wrong JSON", body: '{"prompt": "hello", ', says: /JSON/ },
  { what: "no prompt", body: '{"max_tokens": 3}', says: /prompt/ },
  { what: "a prompt of another type", body: '{"prompt": {"a": 1}}', says: /prompt/ },
  { what: "no tokens to make", body: '{"prompt": "hello", "max_tokens": 0}', says: /max_tokens/ },
  { what: "a token outside of the vocabulary", body: '{"prompt": [99999999]}', says: /token|vocab/i },
])("$what is refused with words, and the fleet goes on", async ({ body, says }) => {
  const answer = await post(`${fleet.url}/v1/completions`, body);
  expect(answer.status, answer.body).toBe(400);
  expect(answer.body).toMatch(says);
  await expectAlive();
});

test("a room beyond 63 bits is refused by an engine, and read exactly below", async () => {
  const { prefill } = await fleet.engines();
  const body = (room: string): string => `{"prompt": "hello", "max_tokens": 1, "bootstrap_room": ${room}}`;
  const secret = fleet.secretHeader();
  for (const room of ["9223372036854775808", "18446744073709551616", "-1", "1e30", '"9223372036854775808"']) {
    const answer = await post(`${prefill.url}/v1/completions`, body(room), AbortSignal.timeout(10_000), secret);
    expect(answer.status, `${room}: ${answer.body}`).toBe(400);
    expect(answer.body).toContain("bootstrap_room");
  }
  const room = "9223372036854775807"; // nobody will come for it: the client leaves
  const leaving = new AbortController();
  const left = post(`${prefill.url}/v1/completions`, body(room), leaving.signal, secret);
  await expect
    .poll(async () => (await prefill.records()).some((record) => record.room === room), { timeout: 10_000 })
    .toBe(true);
  leaving.abort();
  await left;
  await prefill.quiet(10_000);
  await expectAlive();
});

test.each([
  { what: "an answer beyond the context", prompt: "hello", max_tokens: model.contextMax + 1, says: /context/i },
  { what: "a prompt beyond the context", prompt: tokens(9_000), max_tokens: 1, says: /context/i },
  { what: "prompt and answer beyond decode's pool", prompt: tokens(700), max_tokens: 1_000, says: /pool|pages|KV/i },
])("$what is refused with the limit, and the fleet goes on", async ({ prompt, max_tokens, says }) => {
  const answer = await complete(fleet.url, { prompt, max_tokens });
  expect(answer.status, answer.body).toBe(400);
  expect(answer.body).toContain("too-long");
  expect(answer.body).toMatch(says);
  await expectAlive();
});

test("a client cannot reach a bootstrap of its own choice through the router", async () => {
  const answer = await complete(fleet.url, {
    ...goodAsk,
    bootstrap_host: "203.0.113.1",
    bootstrap_port: 9,
    bootstrap_room: 7,
  });
  expect(answer, fleet.said()).toMatchObject({ status: 200 });
});

test("control routes and PD bodies need the fleet's secret", async () => {
  const { prefill } = await fleet.engines();
  expect((await fetch(`${prefill.url}/admin/v1/state`)).status).toBe(403);
  const answer = await post(
    `${prefill.url}/v1/completions`,
    '{"prompt": "hello", "max_tokens": 1, "bootstrap_room": 5}',
  );
  expect(answer.status).toBe(403);
});

function tokens(count: number): number[] {
  return Array.from({ length: count }, () => 500);
}
