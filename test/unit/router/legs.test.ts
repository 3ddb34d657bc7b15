import { expect, test } from "vitest";
import { eventually, expectError, post } from "./support/clients.ts";
import { commit, fail, succeed } from "./support/fixture-engine.ts";
import { runningRouter, secret } from "./support/running-router.ts";

test("both legs get the same room, id and seed, and the secret", async () => {
  const { url, p, d } = await runningRouter();
  post(`${url}/v1/completions`, { prompt: "x", stream: true }).catch(() => undefined);
  const [prefill, decode] = [await p.leg(), await d.leg()];
  expect(prefill.text).toBe(decode.text);
  expect(prefill.body).toMatchObject({ prompt: "x", bootstrap_host: "127.0.0.1", bootstrap_port: 8998 });
  expect(prefill.body["rid"]).toMatch(/^[0-9a-f]{32}$/);
  const room = BigInt(/"bootstrap_room":(\d+)/.exec(prefill.text)?.[1] ?? "-1");
  expect(room > 0n && room < 2n ** 63n).toBe(true);
  expect(prefill.text).toMatch(/"seed":\d+/);
  for (const { request } of [prefill, decode]) {
    expect(request.headers).toMatchObject({
      "x-pdctl-secret": secret,
      "x-request-id": prefill.body["rid"],
      "x-pdctl-attempt": "1",
    });
  }
});

test("what only a router may say is taken out of a client's body, and nothing else is changed", async () => {
  const { url, p } = await runningRouter();
  const own = '"prompt":[1,2],"seed":18446744073709551615,"nested":{"rid":"kept"},"__proto__":{"a":1},"x":1.50';
  const foreign =
    '"bootstrap_room":7,"bootstrap_host":"evil","bootstrap_pair_key":1,"rid":"abc","routed_dp_rank":1,"disagg_prefill_dp_rank":2,"kv_transfer_params":{}';
  post(`${url}/v1/completions`, `{${own},${foreign}}`).catch(() => undefined);
  const { text, body } = await p.leg();
  expect(text).toContain(
    '"prompt":[1,2],"seed":18446744073709551615,"nested":{"rid":"kept"},"__proto__":{"a":1},"x":1.5',
  );
  expect(body["bootstrap_host"]).toBe("127.0.0.1");
  expect(body["rid"]).not.toBe("abc");
  for (const field of ["bootstrap_pair_key", "routed_dp_rank", "disagg_prefill_dp_rank", "kv_transfer_params"])
    expect(body).not.toHaveProperty(field);
});

test("the client gets its own id back, and the router's", async () => {
  const { url, p, d } = await runningRouter();
  const answer = post(`${url}/v1/completions`, { prompt: "x" }, { "x-request-id": "mine" });
  commit(await d.leg(), "application/json");
  (await d.leg()).response.end('{"id":"cmpl-1"}');
  succeed(await p.leg());
  const { headers } = await answer;
  expect(headers.get("x-request-id")).toBe("mine");
  expect(headers.get("x-pdctl-request-id")).toBe((await p.leg()).body["rid"]);
});

test("a stream is passed on byte for byte, and an answer in one piece too", async () => {
  const { url, p, d } = await runningRouter();
  const streamed = post(`${url}/v1/chat/completions`, { messages: [], stream: true });
  commit(await d.leg());
  for (const piece of ["data: a\n", "\ndata: b", "\n\ndata: [DONE]\n\n"]) (await d.leg()).response.write(piece);
  (await d.leg()).response.end();
  succeed(await p.leg());
  const response = await streamed;
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  expect(await response.text()).toBe("data: a\n\ndata: b\n\ndata: [DONE]\n\n");

  const whole = post(`${url}/v1/completions`, { prompt: "x" });
  commit(await d.leg(1), "application/json");
  (await d.leg(1)).response.end('{"id":"cmpl-1"}');
  expect(await (await whole).json()).toEqual({ id: "cmpl-1" });
});

test("a client that leaves before the first token cancels both legs", async () => {
  const { url, p, d, parts } = await runningRouter();
  const client = new AbortController();
  post(`${url}/v1/completions`, { prompt: "x", stream: true }, {}, client.signal).catch(() => undefined);
  const [prefill, decode] = [await p.leg(), await d.leg()];
  client.abort();
  await eventually(() => expect([prefill.cancelled(), decode.cancelled()]).toEqual([true, true]));
  expect(parts.records.totals).toMatchObject({ clientGone: 1, failed: 0 });
  expect(parts.edges.counts()[0]?.open).toBe(0);
});

test("a client that leaves in mid-stream cancels decode", async () => {
  const { url, p, d, parts } = await runningRouter();
  const client = new AbortController();
  const answer = post(`${url}/v1/completions`, { prompt: "x", stream: true }, {}, client.signal);
  const decode = await d.leg();
  commit(decode);
  decode.response.write("data: a\n\n");
  succeed(await p.leg());
  await answer;
  client.abort();
  await eventually(() => expect(decode.cancelled()).toBe(true));
  expect(parts.records.all()[0]).toMatchObject({ outcome: "client-gone", committed: true });
});

test("a slow client makes the router stop reading, and what it reads later is whole", async () => {
  const { url, p, d } = await runningRouter();
  const answer = post(`${url}/v1/completions`, { prompt: "x", stream: true });
  const decode = await d.leg();
  commit(decode);
  const reader = (await answer).body?.getReader();
  const piece = Buffer.alloc(256 * 1024, "x");
  const pieces = 256;
  let written = 0;
  const writeAll = async (): Promise<void> => {
    for (; written < pieces; written += 1) {
      if (!decode.response.write(piece)) await new Promise((resolve) => decode.response.once("drain", resolve));
    }
    decode.response.end();
  };
  const writing = writeAll();
  await eventually(() => expect(decode.response.writableNeedDrain).toBe(true));
  let read = 0;
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) break;
    read += part.value.length;
  }
  await writing;
  expect(read).toBe(pieces * piece.length);
  succeed(await p.leg());
});

test("wrong JSON is refused before any engine hears of it", async () => {
  const { url, p, d } = await runningRouter();
  await expectError(
    await post(`${url}/v1/completions`, '{"prompt":'),
    400,
    "invalid",
    /at line 1, column 11 the text ends/,
  );
  await expectError(await post(`${url}/v1/completions`, "[]"), 400, "invalid", /must be a JSON object/);
  await expectError(
    await post(`${url}/v1/completions`, `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`),
    400,
    "invalid",
    /nested too deeply/,
  );
  expect([...p.legs, ...d.legs]).toEqual([]);
});

test("an engine's 400 is passed on as it is", async () => {
  const { url, p, d } = await runningRouter();
  const answer = post(`${url}/v1/completions`, { prompt: "" });
  fail(await d.leg(), 400, "too-long", "The prompt is too long.");
  await expectError(await answer, 400, "too-long", /prompt is too long/);
  const prefill = await p.leg();
  await eventually(() => expect(prefill.cancelled()).toBe(true));
});
