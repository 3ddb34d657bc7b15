import { expect, test } from "vitest";
import { eventsOf, eventually, expectError, post, toldBy } from "./support/clients.ts";
import { FakeNative } from "./support/fake-native.ts";
import { runningEngine } from "./support/running-engine.ts";

async function submittedId(native: FakeNative): Promise<string> {
  await eventually(() => expect(native.submitted).toHaveLength(1));
  return native.submitted[0]?.id ?? "";
}

test("a completion that is not streamed comes whole, with usage", async () => {
  const { url, native } = await runningEngine();
  const answer = post(`${url}/v1/completions`, { prompt: "Hello", max_tokens: 9, temperature: 0, seed: 7 });
  const id = await submittedId(native);
  native.tokens(id, "Par");
  native.tokens(id, "is.");
  native.ends(id, "stop", 6);
  const response = await answer;
  expect(response.status).toBe(200);
  expect(response.headers.get("x-request-id")).toBe(id);
  expect(await response.json()).toMatchObject({
    id: `cmpl-${id}`,
    object: "text_completion",
    model: "tiny-135m",
    choices: [{ index: 0, text: "Paris.", finish_reason: "stop" }],
    usage: { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 },
  });
  expect(native.submitted[0]).toMatchObject({ tokensMax: 9, temperature: 0, seed: 7n, stopsAtEnd: true });
});

test("a chat streams a role, the text, a reason, usage when asked, and DONE", async () => {
  const { url, native } = await runningEngine();
  const body = { messages: [{ role: "user", content: "Hi" }], stream: true, stream_options: { include_usage: true } };
  const answer = post(`${url}/v1/chat/completions`, body);
  const id = await submittedId(native);
  native.tokens(id, "Hel");
  native.tokens(id, 'lo "you"');
  native.ends(id, "length", 11);
  const response = await answer;
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const text = await response.text();
  expect(toldBy(text)).toEqual({ text: 'Hello "you"', reason: "length", done: true });
  const chunks = eventsOf(text)
    .slice(0, -1)
    .map((event) => JSON.parse(event) as { object: string; usage: unknown });
  expect(chunks[0]).toMatchObject({
    id: `chatcmpl-${id}`,
    object: "chat.completion.chunk",
    choices: [{ delta: { role: "assistant", content: "" } }],
  });
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 32 } });
  expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
});

test("a stop string over the border of two tokens ends the answer before it and stops the engine", async () => {
  const { url, native } = await runningEngine();
  const answer = post(`${url}/v1/completions`, { prompt: "x", stop: ["END", "never"], stream: true });
  const id = await submittedId(native);
  native.tokens(id, "one E");
  native.tokens(id, "N two EN");
  native.tokens(id, "D three");
  expect(toldBy(await (await answer).text())).toEqual({ text: "one EN two ", reason: "stop", done: true });
  expect({ finished: native.finished, aborted: native.aborted }).toEqual({ finished: [id], aborted: [] });
});

test("characters whose bytes come in several tokens arrive whole", async () => {
  const { url, native } = await runningEngine();
  const answer = post(`${url}/v1/completions`, { prompt: "x", stream: true });
  const id = await submittedId(native);
  for (const byte of new TextEncoder().encode("aé漢😀")) native.tokens(id, Uint8Array.of(byte));
  native.ends(id);
  const text = await (await answer).text();
  expect(toldBy(text).text).toBe("aé漢😀");
  expect(text).not.toContain("\ufffd");
});

test("a client that leaves makes the engine abort", async () => {
  const { url, native, parts } = await runningEngine();
  const client = new AbortController();
  const answer = post(`${url}/v1/completions`, { prompt: "x", stream: true }, {}, client.signal).then((response) =>
    response.text(),
  );
  answer.catch(() => undefined);
  const id = await submittedId(native);
  native.tokens(id, "a");
  client.abort();
  await eventually(() => expect(native.aborted.map((abort) => abort.id)).toEqual([id]));
  await expect(answer).rejects.toThrow(/abort/i);
  expect(parts.answers.size).toBe(0);
});

test("a client that leaves before the first token makes the engine abort too", async () => {
  const { url, native } = await runningEngine();
  const client = new AbortController();
  const answer = post(`${url}/v1/completions`, { prompt: "x" }, {}, client.signal);
  answer.catch(() => undefined);
  const id = await submittedId(native);
  client.abort();
  await eventually(() => expect(native.aborted.map((abort) => abort.id)).toEqual([id]));
});

test.each([
  { code: "too-long", status: 400 },
  { code: "duplicate-room", status: 409 },
  { code: "queue-full", status: 429 },
  { code: "draining", status: 503 },
  { code: "a code of a later version", status: 500 },
])("what the engine refuses with $code is answered with $status", async ({ code, status }) => {
  const native = new FakeNative();
  native.refusal = { code, words: "These are the engine's words." };
  const { url } = await runningEngine({}, native);
  const error = await expectError(await post(`${url}/v1/completions`, { prompt: "x" }), status, /engine's words/);
  expect(error.code).toBe(code);
});

test.each([
  { code: "inflight-timeout", status: 504 },
  { code: "peer-lost", status: 502 },
  { code: "pool-exhausted", status: 503 },
])("a failure $code before the first token is a real status, streamed or not", async ({ code, status }) => {
  for (const stream of [true, false]) {
    const { url, native } = await runningEngine();
    const answer = post(`${url}/v1/completions`, { prompt: "x", stream });
    native.fail(await submittedId(native), { code, words: "KV did not move." });
    await expectError(await answer, status, /did not move/);
  }
});

test("a failure after the first token is an error event, and no DONE", async () => {
  const { url, native } = await runningEngine();
  const answer = post(`${url}/v1/completions`, { prompt: "x", stream: true });
  const id = await submittedId(native);
  native.tokens(id, "a");
  await answer;
  native.fail(id, { code: "pool-exhausted", words: "No page is free." });
  const events = eventsOf(await (await answer).text());
  expect(JSON.parse(events.at(-1) ?? "")).toMatchObject({
    error: { code: "pool-exhausted", message: "No page is free." },
  });
});

test("without max_tokens an answer may have what the context and the pool leave", async () => {
  const { url, native } = await runningEngine({}, new FakeNative({ contextMax: 500, pages: 20 }));
  void post(`${url}/v1/completions`, { prompt: "12345678" }).catch(() => undefined);
  await submittedId(native);
  expect(native.submitted[0]?.tokensMax).toBe(20 * 16 - 8);
  native.ends(native.submitted[0]?.id ?? "");
});

test("the model is listed by the name it is served under, not by the one in its file", async () => {
  const { url } = await runningEngine();
  const models = (await (await fetch(`${url}/v1/models`)).json()) as { data: { id: string }[] };
  expect(models.data.map(({ id }) => id)).toEqual(["tiny-135m"]);
});
