import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, get as httpGet, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { downloadHttps, type Get } from "../../../src/lib/https-download.ts";

const never = new AbortController().signal;
let folder: string;
let server: Server;
let answer: RequestListener;
let asked: string[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "pdctl-download-"));
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

// Every https URL is asked of the local server: TLS itself is Node's.
const local = ((url: URL, ...rest: Parameters<typeof httpGet> extends [unknown, ...infer R] ? R : never) => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return httpGet(new URL(url.pathname, `http://127.0.0.1:${port}`), ...rest);
}) as Get;

async function download(url = "https://hub.example/file", bytesMax = 100): Promise<string> {
  const to = join(folder, "file");
  await downloadHttps(to, { url, bytesMax, signal: never, get: local });
  return readFileSync(to, "utf8");
}

test("the content is written, also behind redirects", async () => {
  answer = ({ url }, response) => {
    if (url === "/file") response.writeHead(302, { location: "/moved" }).end();
    else if (url === "/moved") response.writeHead(307, { location: "https://cdn.example/there" }).end();
    else response.end("content");
  };
  expect(await download()).toBe("content");
  expect(asked).toEqual(["/file", "/moved", "/there"]);
});

test.each([
  { why: "a redirect away from https", location: "http://hub.example/file", words: "http://hub.example is not https" },
  { why: "redirects without end", location: "/file", words: "more than 5 redirects" },
])("$why is not followed", async ({ location, words }) => {
  answer = (_request, response) => response.writeHead(302, { location }).end();
  await expect(download()).rejects.toThrow(words);
});

test("plain http is not asked at all", async () => {
  await expect(download("http://hub.example/file")).rejects.toThrow("is not https");
  expect(asked).toEqual([]);
});

test.each([
  { why: "announced", headers: { "content-length": "200" }, words: "200 bytes were announced, at most 100 are taken" },
  { why: "not announced", headers: {}, words: "more than 100 bytes came" },
])("more than was promised is refused when it is $why", async ({ headers, words }) => {
  answer = (_request, response) => response.writeHead(200, headers).end("x".repeat(200));
  await expect(download()).rejects.toThrow(words);
});

test("an error of the hub is told with its status", async () => {
  answer = (_request, response) => response.writeHead(404).end();
  await expect(download()).rejects.toThrow("hub.example answered 404");
});

test("a content that breaks off is an error", async () => {
  answer = (_request, response) => {
    response.writeHead(200, { "content-length": "50" });
    response.write("half");
    setTimeout(() => response.destroy(), 20);
  };
  await expect(download()).rejects.toThrow();
});
