import { connect } from "node:net";
import { expect, test, vi } from "vitest";
import { eventually, expectError, post } from "./support/clients.ts";
import { runningEngine, secret } from "./support/running-engine.ts";

test.each([
  { body: "", words: /not valid JSON: at line 1, column 1 the text ends/ },
  { body: '{"prompt": "a",}', words: /at line 1, column 16 there is "}"/ },
  { body: '{"prompt": abc}', words: /at line 1, column 12 there is "abc}"/ },
  { body: "[1]", words: /The body must be a JSON object/ },
  { body: "{}", words: /prompt must be a string or a list of token ids/ },
  { body: { prompt: "" }, words: /prompt is empty/ },
  { body: { prompt: ["a", "b"] }, words: /prompt\[0\] must be a token id/ },
  { body: { prompt: [1, 259] }, words: /prompt\[1\] must be a token id from 0 to 258, in one list; found 259/ },
  { body: { prompt: "x", max_tokens: 0 }, words: /^max_tokens must be at least 1; found 0\.$/ },
  { body: { prompt: "x", temperature: 3 }, words: /^temperature must be at most 2; found 3\.$/ },
  { body: { prompt: "x", seed: 1.5 }, words: /^seed must be a whole number; found 1\.5\.$/ },
  { body: { prompt: "x", stop: [1] }, words: /^stop must be a string or a list of strings; found a list\.$/ },
  { body: { prompt: "x", stop: "" }, words: /stop string must have 1 to 256 characters/ },
  { body: { prompt: "x", stream: "yes" }, words: /^stream must be true or false; found "yes"\.$/ },
  { body: { prompt: "x", n: 2 }, words: /^n is not supported: leave it out, or send 1; found 2/ },
  { body: { prompt: "x", top_p: 0.9 }, words: /^top_p is not supported/ },
  { body: { prompt: "x", logprobs: 5 }, words: /^logprobs is not supported/ },
  { body: { prompt: "x", logit_bias: { 5: 1 } }, words: /^logit_bias is not supported: leave it out/ },
  { body: { prompt: "x", rid: "a b" }, words: /request id must have 1 to 128 visible ASCII/ },
  { body: { prompt: "x".repeat(2048 * 128 + 1) }, words: /cannot fit into the context of 2048 tokens/ },
])("the completion $words is refused with 400", async ({ body, words }) => {
  const { url, native } = await runningEngine();
  await expectError(await post(`${url}/v1/completions`, body), 400, words);
  expect(native.submitted).toEqual([]);
});

test.each([
  { messages: undefined, words: /^messages is missing\.$/ },
  { messages: [], words: /^messages must not be empty\.$/ },
  { messages: "hi", words: /^messages must be a list; found "hi"\.$/ },
  { messages: [{ role: 1 }], words: /^messages\[0\]\.role must be a string; found 1\.$/ },
  {
    messages: [{ role: "tool", content: "x" }],
    words: /messages\[0\].role must be one of system, developer, user, assistant/,
  },
  { messages: [{ role: "__proto__", content: "x" }], words: /messages\[0\].role must be one of/ },
  { messages: [{ role: "user", content: 5 }], words: /messages\[0\].content must be a string or a list of text parts/ },
  {
    messages: [{ role: "user", content: [{ type: "image_url" }] }],
    words: /has the type "image_url"; this engine reads text only/,
  },
])("the chat $words is refused with 400", async ({ messages, words }) => {
  const { url } = await runningEngine();
  await expectError(await post(`${url}/v1/chat/completions`, { messages }), 400, words);
});

// The server does nothing else while it looks at a million ids, so it may not begin to.
test.each([
  { path: "completions", body: { prompt: Array(1_000_000).fill(-1) }, words: /^The prompt has 1000000 tokens/ },
  { path: "chat/completions", body: { messages: Array(1_000_000).fill(0) }, words: /^There are 1000000 messages/ },
  { path: "completions", body: { prompt: "x", stop: Array(1_000_000).fill(0) }, words: /^stop has 1000000 strings/ },
])(
  "a list of a million is refused for its length, before an entry is looked at: $words",
  async ({ path, body, words }) => {
    const { url } = await runningEngine();
    await expectError(await post(`${url}/v1/${path}`, body), 400, words);
  },
);

test("of a text that can hardly fit only the beginning is tokenised", async () => {
  const { url, native } = await runningEngine();
  const tokenised = vi.spyOn(native, "tokenize");
  await expectError(await post(`${url}/v1/completions`, { prompt: "x".repeat(2048 * 100) }), 400, /cannot fit/);
  expect(tokenised.mock.calls.map(([text]) => text.length)).toEqual([2048 * 8]);
});

test("a body of thousands of fields is refused", async () => {
  const { url } = await runningEngine();
  const fields = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, index]));
  await expectError(await post(`${url}/v1/completions`, { prompt: "x", ...fields }), 400, /has 5001 fields/);
});

test("fields that change nothing are taken as if they were not there", async () => {
  const { url, native } = await runningEngine();
  const neutral = {
    n: 1,
    top_p: 1,
    logprobs: null,
    tools: [],
    response_format: { type: "text" },
    user: "someone",
    stop: null,
  };
  const answer = post(`${url}/v1/completions`, { prompt: "x", ...neutral });
  await eventually(() => expect(native.submitted).toHaveLength(1));
  native.ends(native.submitted[0]?.id ?? "");
  expect((await answer).status).toBe(200);
});

test("a body of more than 8 MiB is refused with 413", async () => {
  const { url } = await runningEngine();
  const body = JSON.stringify({ prompt: "x".repeat(8 * 1024 * 1024) });
  await expectError(await post(`${url}/v1/completions`, body), 413, /larger than 8388608 bytes/);
});

test("an unknown route is answered with 404 in OpenAI's shape", async () => {
  const { url } = await runningEngine();
  await expectError(await fetch(`${url}/v1/nothing?x=1`), 404, /There is no GET \/v1\/nothing here/);
});

test("the preface of HTTP/2 is answered and the engine goes on", async () => {
  const { url, port } = await runningEngine();
  const answered = await new Promise<string>((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () =>
      socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0"),
    );
    socket
      .on("data", (bytes) => (text += String(bytes)))
      .on("close", () => resolve(text))
      .on("error", reject);
  });
  expect(answered).toMatch(/^HTTP\/1.1 400 /);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test("a client of HTTP/1.0, which knows no chunks, gets its stream and its error", async () => {
  const { port, native } = await runningEngine({ role: "decode" });
  const body = JSON.stringify({
    prompt: "x",
    stream: true,
    bootstrap_host: "127.0.0.1",
    bootstrap_port: 7001,
    bootstrap_room: 5,
  });
  const head = `POST /v1/completions HTTP/1.0\r\nx-pdctl-secret: ${secret}\r\ncontent-length: ${body.length}\r\n\r\n`;
  const answered = new Promise<string>((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(head + body));
    socket
      .on("data", (bytes) => {
        text += String(bytes);
      })
      .on("close", () => resolve(text))
      .on("error", reject);
  });
  await eventually(() => expect(native.submitted).toHaveLength(1));
  const id = native.submitted[0]?.id ?? "";
  native.deliver([{ id, kind: "committed" }]);
  native.tokens(id, "a");
  native.fail(id, { code: "shutdown", words: "The engine was stopped." });
  expect(await answered).toMatch(/"text":"a"[\s\S]*data: {"error":{"message":"The engine was stopped/);
});
