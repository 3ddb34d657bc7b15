import { createServer, type RequestListener, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askModel } from "../../../src/client/ask-model.ts";

let server: Server;
let url: string;
let answer: RequestListener;
beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(): Promise<string[]> {
  const pieces: string[] = [];
  const signal = AbortSignal.timeout(20_000);
  const messages = [{ role: "user" as const, content: "Hello" }];
  for await (const piece of askModel({ url, messages, tokensMax: 5, temperature: 0, requestId: "run-1", signal })) {
    pieces.push(piece);
  }
  return pieces;
}

function chunk(content: string): string {
  return `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
}

test("the pieces of an answer come one by one, also when bytes are cut in the middle", async () => {
  answer = (request, response) => {
    expect(request.headers["x-request-id"]).toBe("run-1");
    const bytes = Buffer.from(`${chunk("Grüß ")}: a comment\n\n${chunk("Gott")}data: [DONE]\n\n`);
    response.writeHead(200, { "content-type": "text/event-stream" });
    // One byte at a time: the letters with two bytes are cut, too.
    for (const byte of bytes) response.write(Buffer.of(byte));
    response.end();
  };
  expect(await ask()).toEqual(["Grüß ", "Gott"]);
});

const failures: readonly { readonly why: string; readonly act: RequestListener; readonly words: string }[] = [
  {
    why: "a refusal",
    act: (_request, response) => response.writeHead(503).end('{"error":{"message":"no decode is ready"}}'),
    words: "There is no answer (status 503): no decode is ready",
  },
  {
    why: "an error in the middle",
    act: (_request, response) =>
      response.end(`${chunk("Hel")}data: {"error":{"message":"decode is gone","code":"engine-lost"}}\n\n`),
    words: "decode is gone",
  },
  {
    why: "an end without [DONE]",
    act: (_request, response) => response.end(chunk("Hel")),
    words: "broke off",
  },
  {
    why: "an answer that is no JSON",
    act: (_request, response) => response.writeHead(502).end("<html>"),
    words: "(status 502): <html>",
  },
];

test.each(failures)("$why is an error that says so", async ({ act, words }) => {
  answer = act;
  await expect(ask()).rejects.toMatchObject({
    code: "answer-failed",
    message: expect.stringContaining(words) as string,
  });
});
