import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { lockName } from "../../../src/lib/name-lock.ts";
import { listenProblem } from "../../../src/lib/ports.ts";

test("a name is held by one at a time", async () => {
  const name = randomBytes(8).toString("hex");
  const first = await lockName(name);
  expect(first).toBeDefined();
  expect(await lockName(name)).toBeUndefined();
  expect(await lockName(`${name}-other`)).toBeDefined();
  first?.release();
  expect(await lockName(name)).toBeDefined();
});

test("a port that somebody listens on is told from a free one", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  expect(await listenProblem({ host: "127.0.0.1", port })).toBe("EADDRINUSE");
  server.close();
  await once(server, "close");
  expect(await listenProblem({ host: "127.0.0.1", port: 0 })).toBeUndefined();
  expect(await listenProblem({ host: "192.0.2.1", port: 0 })).toBe("EADDRNOTAVAIL");
});
