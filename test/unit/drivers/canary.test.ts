import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { sendCanary } from "../../../src/drivers/embedded-router/canary.ts";

const secret = "0123456789abcdef0123456789abcdef";
const edge = { prefill: "p0", decode: "d0" };
const patient = { edge, limitMs: 20_000 };
const never = new AbortController().signal;

async function router(listener: RequestListener): Promise<{ readonly url: string; readonly secret: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, secret };
}

test("a canary is one token over the edge that was named, and says what it is", async () => {
  let headers: IncomingHttpHeaders = {};
  let text = "";
  const door = await router((request, response) => {
    headers = request.headers;
    request.on("data", (part) => (text += String(part)));
    request.on("end", () => response.end('{"choices":[{"text":" Paris"}]}'));
  });
  expect(await sendCanary(door, patient, never)).toMatchObject({ result: "ok", text: " Paris" });
  expect(headers).toMatchObject({ "x-pdctl-edge": "p0:d0", "x-pdctl-canary": "1", "x-pdctl-secret": secret });
  expect(headers["x-request-id"]).toMatch(/^canary-[0-9a-f]{16}$/);
  expect(JSON.parse(text)).toMatchObject({ max_tokens: 1, temperature: 0 });
});

// One row: what the router answers, and what that says of the edge.
test.each([
  { status: 200, body: '{"choices":[]}', result: "wrong" },
  { status: 200, body: "{}", result: "wrong" },
  { status: 404, body: "{}", result: "busy" },
  { status: 429, body: "{}", result: "busy" },
  { status: 503, body: "{}", result: "busy" },
  { status: 502, body: '{"error":{"code":"engine-lost"}}', result: "timeout" },
  { status: 504, body: "{}", result: "timeout" },
  { status: 200, body: "<html>", result: "timeout" },
])("an answer of $status $body is $result", async ({ status, body, result }) => {
  const door = await router((_request, response) => response.writeHead(status).end(body));
  expect((await sendCanary(door, patient, never)).result).toBe(result);
});

test("at its limit it is withdrawn, so that no leg of it is left", async () => {
  const withdrawn = Promise.withResolvers<void>();
  const door = await router((_request, response) => response.on("close", () => withdrawn.resolve()));
  expect(await sendCanary(door, { edge, limitMs: 100 }, never)).toEqual({
    result: "timeout",
    words: "no answer in 0.1 s",
  });
  await withdrawn.promise;
});

test("who calls it off gets its own reason", async () => {
  const door = await router(() => undefined);
  const off = new AbortController();
  const end = sendCanary(door, patient, off.signal);
  off.abort(new Error("enough"));
  await expect(end).rejects.toThrow("enough");
});
