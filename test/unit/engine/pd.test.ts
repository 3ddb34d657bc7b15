import { expect, test } from "vitest";
import { eventsOf, eventually, expectError, post } from "./support/clients.ts";
import type { FakeNative } from "./support/fake-native.ts";
import { runningEngine, secret } from "./support/running-engine.ts";

const known = { "x-pdctl-secret": secret };
const decodeBody = (room: string): string =>
  `{"prompt":"x","stream":true,"bootstrap_host":"127.0.0.1","bootstrap_port":7001,"bootstrap_room":${room},"rid":"r1"}`;

async function submitted(native: FakeNative): Promise<(typeof native.submitted)[number]> {
  await eventually(() => expect(native.submitted).toHaveLength(1));
  const [request] = native.submitted;
  if (request === undefined) throw new Error("nothing was submitted");
  return request;
}

test.each([
  { room: "9223372036854775807", exact: 9223372036854775807n },
  { room: "9007199254740993", exact: 9007199254740993n },
  { room: '"9223372036854775806"', exact: 9223372036854775806n },
  { room: "0", exact: 0n },
])("the room $room arrives exactly", async ({ room, exact }) => {
  const { url, native } = await runningEngine({ role: "decode" });
  const answer = post(`${url}/v1/completions`, decodeBody(room), known);
  const request = await submitted(native);
  expect(request.id).toBe("r1");
  expect(request.bootstrap).toEqual({ host: "127.0.0.1", port: 7001, room: exact });
  expect(request.seed).toBe(exact);
  native.ends("r1");
  expect((await answer).status).toBe(200);
});

test.each(["9223372036854775808", "-1", '"12x"', '""', "1.5", "1e30", "true", "null"])(
  "the room %s is refused with 400",
  async (room) => {
    const { url, native } = await runningEngine({ role: "decode" });
    await expectError(await post(`${url}/v1/completions`, decodeBody(room), known), 400, /bootstrap_room/);
    expect(native.submitted).toEqual([]);
  },
);

test.each<Record<string, string>>([{}, { "x-pdctl-secret": "wrong" }, { "x-pdctl-secret": `${secret}x` }])(
  "a bootstrap room with the headers %j is refused with 403",
  async (headers) => {
    const { url, native } = await runningEngine({ role: "prefill" });
    const answer = await post(`${url}/v1/completions`, { prompt: "x", bootstrap_room: 5 }, headers);
    await expectError(answer, 403, /x-pdctl-secret is missing or wrong/);
    expect(native.submitted).toEqual([]);
  },
);

test("a decode engine dials only the bootstrap addresses that it was given", async () => {
  const { url } = await runningEngine({ role: "decode" });
  const body = decodeBody("5").replace("7001", "7002");
  await expectError(await post(`${url}/v1/completions`, body, known), 403, /does not connect to 127\.0\.0\.1:7002/);
});

test.each([
  { peers: { kind: "loopback" } as const, host: "127.0.0.1", status: 200 },
  { peers: { kind: "loopback" } as const, host: "10.0.0.1", status: 403 },
  { peers: { kind: "any" } as const, host: "10.0.0.1", status: 200 },
])("with peers $peers.kind the host $host is answered with $status", async ({ peers, host, status }) => {
  const { url, native } = await runningEngine({ role: "decode", peers });
  const answer = post(`${url}/v1/completions`, decodeBody("5").replace("127.0.0.1", host), known);
  if (status === 200) native.ends((await submitted(native)).id);
  expect((await answer).status).toBe(status);
});

test.each([
  { role: "prefill" as const, body: { prompt: "x" }, words: /role is prefill: requests come through a router/ },
  { role: "decode" as const, body: { prompt: "x" }, words: /role is decode: requests come through a router/ },
  { role: "both" as const, body: { prompt: "x", bootstrap_room: 1 }, words: /by itself and takes no bootstrap_room/ },
  { role: "decode" as const, body: { prompt: "x", bootstrap_room: 1 }, words: /bootstrap_host is missing/ },
])("role $role says $words", async ({ role, body, words }) => {
  const { url } = await runningEngine({ role });
  await expectError(await post(`${url}/v1/completions`, body, known), 400, words);
});

test("the prefill leg answers when decode has everything", async () => {
  const { url, native } = await runningEngine({ role: "prefill" });
  const answer = post(`${url}/v1/completions`, { prompt: "x", stream: true, bootstrap_room: 5, rid: "r1" }, known);
  await submitted(native);
  native.tokens("r1", "P");
  native.ends("r1", "length", 1);
  expect(await (await answer).json()).toEqual({
    id: "r1",
    first_token: 80,
    usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
  });
});

test("a router that leaves makes prefill abort", async () => {
  const { url, native } = await runningEngine({ role: "prefill" });
  const router = new AbortController();
  post(`${url}/v1/completions`, { prompt: "x", bootstrap_room: 5, rid: "r1" }, known, router.signal).catch(
    () => undefined,
  );
  await submitted(native);
  router.abort();
  await eventually(() => expect(native.aborted.map((abort) => abort.id)).toEqual(["r1"]));
});

test.each([true, false])("decode sends its headers at commit, streamed: %s", async (stream) => {
  const { url, native } = await runningEngine({ role: "decode" });
  const answer = post(`${url}/v1/completions`, decodeBody("5").replace("true", String(stream)), known);
  await submitted(native);
  native.deliver([{ id: "r1", kind: "committed" }]);
  const response = await answer;
  expect(response.status).toBe(200);
  expect(response.headers.get("x-pdctl-commit")).toBe("1");
  native.tokens("r1", "a");
  native.ends("r1");
  expect(await response.text()).toContain('"text":"a"');
});

test("decode that fails before commit answers with the status of its failure", async () => {
  const { url, native } = await runningEngine({ role: "decode" });
  const answer = post(`${url}/v1/completions`, decodeBody("5"), known);
  await submitted(native);
  native.fail("r1", { code: "waiting-timeout", words: "Prefill showed no progress for 2 s." });
  const response = await answer;
  expect(response.headers.get("x-pdctl-commit")).toBeNull();
  await expectError(response, 504, /no progress/);
});

test("decode that fails after commit tells it in an event", async () => {
  const { url, native } = await runningEngine({ role: "decode" });
  const answer = post(`${url}/v1/completions`, decodeBody("5"), known);
  await submitted(native);
  native.deliver([{ id: "r1", kind: "committed" }]);
  const response = await answer;
  native.fail("r1", { code: "shutdown", words: "The engine was stopped." });
  expect(eventsOf(await response.text()).map((event) => JSON.parse(event))).toMatchObject([
    { error: { code: "shutdown" } },
  ]);
});
