import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { fleetOf, smallDaemon } from "../client/support/small-daemon.ts";

let home: string;
let daemon: FastifyInstance | undefined;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "pd-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));
afterEach(async () => {
  await daemon?.close();
  daemon = undefined;
});

const launcher = join("bin", "pdctl");

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs the built pdctl without a terminal. */
async function pdctl(args: readonly string[]): Promise<Ended> {
  const env = { PATH: process.env["PATH"] ?? "", PDCTL_HOME: home, XDG_CACHE_HOME: join(home, "cache") };
  return await new Promise((resolve) => {
    const child = execFile(launcher, args, { env, timeout: 60_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
    child.stdin?.end();
  });
}

const socket = (): string => join(home, "default.sock");

test.each([
  { args: "status", code: 3 },
  { args: "status --nope", code: 4 },
  { args: "status extra", code: 4 },
  { args: "health", code: 3 },
  { args: "health --nope", code: 3 },
  { args: "health extra", code: 3 },
  { args: "health --unknown-as ok", code: 0 },
  { args: "reqs", code: 3 },
  { args: "inspect req x", code: 3 },
  { args: "inspect engine decode", code: 3 },
  { args: "inspect incident i1", code: 3 },
  { args: "events", code: 3 },
  { args: "record /dev/null/x", code: 2 },
  { args: "fail req x", code: 2 },
  { args: "restart", code: 2 },
  { args: "restart decode", code: 2 },
  { args: "restart decode --yes", code: 3 },
  { args: "drain decode", code: 3 },
  { args: "resume decode", code: 3 },
  { args: "logs", code: 0 },
  { args: "logs decode", code: 1 },
  { args: "daemon", code: 2 },
  { args: "down", code: 0 },
])("without a daemon pdctl $args exits $code, and says why in a sentence", async ({ args, code }) => {
  const ended = await pdctl(args.split(" "));
  expect(ended, ended.stderr).toMatchObject({ code });
  expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/^\s+at .*\.js:\d+/m);
});

test("config init writes a file that config check takes, and leaves one alone that is there", async () => {
  const file = join(home, "pdctl.yaml");
  expect(await pdctl(["config", "init", file])).toMatchObject({ code: 0, stdout: "" });
  expect(await pdctl(["config", "check", "--file", file])).toMatchObject({ code: 0 });
  const shown = await pdctl(["config", "show", "--file", file]);
  expect(shown).toMatchObject({ code: 0 });
  writeFileSync(file, shown.stdout);
  expect(await pdctl(["config", "check", "--file", file])).toMatchObject({ code: 0 });
  expect(await pdctl(["config", "init", file])).toMatchObject({ code: 2 });
  expect(readFileSync(file, "utf8")).toBe(shown.stdout);
  expect((await pdctl(["config", "init", "--print"])).stdout).toContain("fleet: default");
});

test("status and health print what the daemon says, as data", async () => {
  daemon = await smallDaemon(socket(), (server) => {
    server.get("/v1/fleet", () => fleetOf());
    server.get("/v1/health", () => ({
      ...{ status: "CRITICAL", fleet: "demo", summary: "1 wedge", ageS: 1, problems: [], perfdata: { inflight: 1 } },
    }));
  });
  const status = await pdctl(["status", "-o", "json", "--socket", socket()]);
  expect(status, status.stderr).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(status.stdout)).toEqual(fleetOf());
  const health = await pdctl(["health", "-o", "nagios", "--socket", socket()]);
  expect(health).toMatchObject({ code: 2, stdout: "PDCTL CRITICAL - 1 wedge | 'inflight'=1\n" });
});

test("what the daemon refuses exits 5; without a terminal nothing is asked for, and nothing is done", async () => {
  let asked = 0;
  daemon = await smallDaemon(socket(), (server) => {
    server.post("/v1/fleet/restart", async (_request, reply) => {
      asked++;
      const problem = { type: "about:blank", status: 409, title: "t", detail: "The budget is used up." };
      await reply.code(409).send({ ...problem, code: "action-refused", tryThis: "--force" });
    });
  });
  const all = ["restart", "--co", "--all", "--socket", socket()];
  const unasked = await pdctl(all);
  expect(unasked).toMatchObject({ code: 2 });
  expect(unasked.stderr).toContain("pdctl restart --co --all --yes");
  expect(asked).toBe(0);
  const refused = await pdctl([...all, "--yes"]);
  expect(refused).toMatchObject({ code: 5, stdout: "" });
  expect(refused.stderr).toContain("The budget is used up.");
});

test("a recording begins at 0, for its owner alone, and is not written over", async () => {
  const file = join(home, "a.jsonl");
  const lines = [
    { kind: "fleet", version: 1, engines: [], policy: {}, facts: {} },
    { kind: "sample", t: 1_000.5, id: "decode", start_time: 990 },
    { kind: "sample", t: 1_001.5, id: "decode" },
  ];
  daemon = await smallDaemon(socket(), (server) => {
    const text = lines.map((line) => `event: observation\ndata: ${JSON.stringify(line)}\n\n`).join("");
    server.get("/v1/observations", async (_request, reply) => await reply.type("text/event-stream").send(text));
  });
  const recorded = await pdctl(["record", file, "--for", "30s", "--socket", socket()]);
  expect(recorded, recorded.stderr).toMatchObject({ code: 0, stdout: "" });
  expect(existsSync(file)).toBe(true);
  const written = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(written.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { kind: "fleet" },
    { t: 0, start_time: -10.5 },
    { t: 1 },
  ]);
  expect(await pdctl(["record", file, "--socket", socket()])).toMatchObject({ code: 2 });
});
