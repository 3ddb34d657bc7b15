import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { errorAnswer } from "../../../src/contract/failure-status.ts";
import { HttpFront } from "../../../src/lib/http-front.ts";
import { textApp } from "../../../src/lib/text-app.ts";

async function running(): Promise<{ readonly url: string; readonly port: number }> {
  const front = new HttpFront((_request, response) => response.writeHead(503).end());
  const app = textApp({ log: pino({ level: "silent" }), bodyBytesMax: 1024, front, errorAnswer });
  app.post("/echo", async (request) => ({ text: request.body }));
  app.get("/things/:id", async () => ({}));
  await app.ready();
  const port = await front.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => front.close(0));
  return { url: `http://127.0.0.1:${port}`, port };
}

async function errorOf(answer: Response): Promise<{ status: number; code: string; message: string }> {
  const { error } = (await answer.json()) as { error: { code: string; message: string; type: string } };
  expect(error.type).toBe("invalid_request_error");
  return { status: answer.status, code: error.code, message: error.message };
}

async function post(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Promise<Response> {
  return await fetch(`${url}/echo`, { method: "POST", body, headers });
}

/** Sends bytes as they are, and returns the body of the answer. */
async function raw(port: number, text: string): Promise<{ head: string; body: unknown }> {
  const answered = await new Promise<string>((resolve, reject) => {
    let all = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket
      .on("data", (bytes) => (all += String(bytes)))
      .on("close", () => resolve(all))
      .on("error", reject);
  });
  const [head = "", body = ""] = answered.split("\r\n\r\n");
  return { head, body: JSON.parse(body) };
}

test.each(["DELETE", "OPTIONS", "GET"])("a known path with the method %s is 405 with Allow", async (method) => {
  const { url } = await running();
  const answer = await fetch(`${url}/echo?x=1`, { method });
  expect(answer.headers.get("allow")).toBe("POST");
  const message = `There is no ${method} /echo here: it takes POST.`;
  expect(await errorOf(answer)).toEqual({ status: 405, code: "method-not-allowed", message });
});

test("a known path with a part that varies is 405 too, and an unknown one 404", async () => {
  const { url } = await running();
  const known = await fetch(`${url}/things/5`, { method: "POST" });
  expect(known.status).toBe(405);
  expect(known.headers.get("allow")).toBe("GET, HEAD");
  expect((await fetch(`${url}/things`)).status).toBe(404);
});

test.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonx"])(
  "the content-type %s is 415",
  async (type) => {
    const { url } = await running();
    const message = `The content-type must be application/json; found "${type}".`;
    expect(await errorOf(await post(url, "{}", { "content-type": type }))).toEqual({
      status: 415,
      code: "unsupported-type",
      message,
    });
  },
);

test("a content-type that is empty is 415, and one that is missing passes", async () => {
  const { port } = await running();
  const head = "POST /echo HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n";
  expect((await raw(port, `${head}content-type:\r\n\r\n{}`)).head).toMatch(/^HTTP\/1.1 415 /);
  expect((await raw(port, `${head}\r\n{}`)).body).toEqual({ text: "{}" });
});

test("a body that is packed is 415", async () => {
  const { url } = await running();
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  expect(await errorOf(await post(url, new Uint8Array(gzipSync("{}")), headers))).toMatchObject({
    status: 415,
    message: 'The body must come as it is, without content-encoding; found "gzip".',
  });
});

test("a body that is not UTF-8 is refused, and one with a byte order mark is read", async () => {
  const { url } = await running();
  const headers = { "content-type": "application/json; charset=utf-8" };
  const wrong = await post(url, Uint8Array.of(0x22, 0xff, 0xfe, 0x22), headers);
  expect(await errorOf(wrong)).toEqual({ status: 400, code: "invalid", message: "The body is not valid UTF-8." });
  const marked = await post(url, Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d), headers);
  expect(await marked.json()).toEqual({ text: "{}" });
});

test.each([
  {
    name: "a path that cannot be decoded",
    text: "GET /% HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    status: 400,
    code: "invalid",
  },
  {
    name: "60 kB of headers",
    text: `GET /echo HTTP/1.1\r\nhost: x\r\nx-long: ${"y".repeat(60_000)}\r\n\r\n`,
    status: 431,
    code: "headers-too-large",
  },
  { name: "what is no HTTP", text: "hello\r\n\r\n", status: 400, code: "invalid" },
  {
    name: "a part of a path that is too long",
    text: `GET /things/${"y".repeat(200)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
    status: 404,
    code: "not-found",
  },
])("$name is answered in OpenAI's shape", async ({ text, status, code }) => {
  const { port } = await running();
  const { head, body } = await raw(port, text);
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(body).toMatchObject({ error: { code, type: "invalid_request_error", param: null } });
});
