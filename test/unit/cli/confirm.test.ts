import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { spawn } from "node-pty";
import { afterEach, beforeEach, expect, test } from "vitest";
import { smallDaemon } from "../client/support/small-daemon.ts";

let folder: string;
let daemon: FastifyInstance;
let asked: unknown[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "pd-"));
  asked = [];
  daemon = await smallDaemon(join(folder, "a.sock"), (server) => {
    server.post("/v1/fleet/restart", async ({ body }, reply) => {
      asked.push(body);
      await reply.code(202).send({ action: "a1" });
    });
    const action = { id: "a1", action: "co-restart", target: "fleet", epoch: 1, by: "operator", why: "w", effect: "e" };
    const outcome = { actionId: "a1", outcome: "done", atMs: 1, words: "they serve again" };
    server.get("/v1/actions/a1", () => ({ action: { ...action, settleMs: 0 }, outcome }));
  });
});
afterEach(async () => {
  await daemon.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the restart of everything in a terminal, and types the answer once it is asked for. */
async function restart(answer: string): Promise<{ readonly code: number; readonly screen: string }> {
  const env = { PATH: process.env["PATH"] ?? "", PDCTL_SOCKET: join(folder, "a.sock"), PDCTL_HOME: folder };
  const pty = spawn(join("bin", "pdctl"), ["restart", "--co", "--all"], { cols: 200, rows: 24, env });
  let screen = "";
  pty.onData((text) => {
    const before = screen.includes("[y/N]");
    screen += text;
    if (!before && screen.includes("[y/N]")) pty.write(answer);
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  pty.onExit(({ exitCode }) => resolve(exitCode));
  return { code: await promise, screen };
}

test("on a terminal it is asked, with the line that would not ask; y does it", async () => {
  const { code, screen } = await restart("y\r");
  expect(screen).toContain("Without asking: pdctl restart --co --all --yes");
  expect(screen).toContain("they serve again");
  expect(code).toBe(0);
  expect(asked).toHaveLength(1);
});

test.each([
  { what: "Enter", answer: "\r", ends: 1 },
  { what: "n", answer: "n\r", ends: 1 },
  { what: "Ctrl-D", answer: "\u0004", ends: 130 },
  { what: "Ctrl-C", answer: "\u0003", ends: 130 },
])("$what does nothing, and exits $ends", async ({ answer, ends }) => {
  expect((await restart(answer)).code).toBe(ends);
  expect(asked).toEqual([]);
});
