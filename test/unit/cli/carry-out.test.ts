import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { outcomeOf, outcomeWords } from "../../../src/cli/carry-out.ts";
import { confirm } from "../../../src/cli/confirm.ts";
import { checkedChoice, type RestartChoice, restart, restartCommand } from "../../../src/cli/restart-wish.ts";
import { shellWords } from "../../../src/cli/shell-words.ts";
import { DaemonClient } from "../../../src/client/daemon-client.ts";
import type { OutcomeName } from "../../../src/contract/action.ts";
import { addEvents, eventOf, smallDaemon } from "../client/support/small-daemon.ts";

let folder: string;
let socket: string;
let daemon: FastifyInstance | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pd-"));
  socket = join(folder, "a.sock");
});
afterEach(async () => {
  await daemon?.close();
  daemon = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const usual = { limitMs: 20_000, say: (): void => undefined, signal: new AbortController().signal };
const action = {
  ...{ id: "a1", action: "fail", target: "request 4f0c", epoch: 1, by: "operator", why: "w", effect: "e", settleMs: 0 },
};

function outcome(name: OutcomeName): unknown {
  return { actionId: "a1", outcome: name, atMs: 1, words: `it is ${name}`, details: ["prefill: 3 pages"] };
}

async function serve(add: (server: FastifyInstance) => void): Promise<DaemonClient> {
  daemon = await smallDaemon(socket, add);
  return new DaemonClient(socket);
}

test("an outcome is waited for, its steps are told, and what was released is shown", async () => {
  let looks = 0;
  const client = await serve((server) => {
    addEvents(server, [
      eventOf({ id: 1, kind: "step", subject: "fleet", words: "before" }),
      eventOf({ id: 2, kind: "step", subject: "fleet", words: "hold", atMs: Number.MAX_SAFE_INTEGER }),
    ]);
    server.get("/v1/actions/a1", () => ({ action, ...(looks++ < 2 ? {} : { outcome: outcome("done") }) }));
  });
  const said: string[] = [];
  const done = await outcomeOf(client, "a1", { ...usual, say: (line) => said.push(line) });
  expect(outcomeWords(done)).toBe("it is done\n  prefill: 3 pages\n");
  expect(said).toEqual(["fleet      hold"]);
});

test.each([
  { name: "refused", code: "action-refused" },
  { name: "failed", code: "action-failed" },
  { name: "unknown", code: "action-failed" },
] as const)("an action that is $name ends in $code, with the daemon's words", async ({ name, code }) => {
  const client = await serve((server) => {
    server.get("/v1/actions/a1", () => ({ action, outcome: outcome(name) }));
  });
  await expect(outcomeOf(client, "a1", usual)).rejects.toMatchObject({
    code,
    message: `it is ${name}\n  prefill: 3 pages`,
  });
});

test("the page of an error among the details is told once, with what it says to try", async () => {
  const details = ["Error: decode does not run.", "  Try: pdctl restart decode", "  (action-failed)"];
  const failed = { ...(outcome("failed") as object), words: "decode does not run.", details };
  const client = await serve((server) => {
    server.get("/v1/actions/a1", () => ({ action, outcome: failed }));
  });
  const error = { message: "decode does not run.", tryThis: "pdctl restart decode" };
  await expect(outcomeOf(client, "a1", usual)).rejects.toMatchObject(error);
});

test("what has no outcome in time is said to go on; a daemon that is away meanwhile is waited for", async () => {
  const client = await serve((server) => {
    server.get("/v1/actions/a1", () => ({ action }));
  });
  await expect(outcomeOf(client, "a1", { ...usual, limitMs: 1 })).rejects.toMatchObject({ code: "timed-out" });
  await daemon?.close();
  daemon = undefined;
  const waiting = outcomeOf(client, "a1", usual);
  await serve((server) => {
    server.get("/v1/actions/a1", () => ({ action, outcome: outcome("done") }));
  });
  expect((await waiting).outcome).toBe("done");
});

const choice: RestartChoice = { engines: [], co: false, all: false, force: false, why: undefined };

test.each([
  { more: {}, words: "No engine is named." },
  { more: { all: true }, words: "--all goes with --co only." },
  { more: { co: true, all: true, engines: ["decode"] }, words: "--all means every engine; name none beside it." },
  { more: { engines: ["--forse"] }, words: '"--forse" is neither a flag nor the name of an engine.' },
])("a restart that cannot be meant is refused: $words", ({ more, words }) => {
  expect(() => checkedChoice({ ...choice, ...more })).toThrow(
    expect.objectContaining({ code: "usage", message: words }),
  );
});

test("the same restart as a line that asks nothing", () => {
  const meant = { ...choice, co: true, engines: ["decode"], force: true, why: "it's stuck" };
  expect(shellWords(restartCommand(meant))).toBe("pdctl restart --co --force decode --why 'it'\\''s stuck' --yes");
});

test("engines restart one after the other, those of --co as one", async () => {
  const wishes: unknown[] = [];
  const client = await serve((server) => {
    server.get("/v1/actions/a1", () => ({ action, outcome: outcome("done") }));
    server.post<{ Params: { name: string } }>("/v1/engines/:name/restart", async ({ params, body }, reply) => {
      wishes.push([params.name, body]);
      await reply.code(202).send({ action: "a1" });
    });
    server.post("/v1/fleet/restart", async ({ body }, reply) => {
      wishes.push(body);
      await reply.code(202).send({ action: "a1" });
    });
  });
  expect(await restart(client, { ...choice, engines: ["p", "d"], why: "w" }, usual)).toHaveLength(2);
  expect(await restart(client, { ...choice, engines: ["d"], co: true }, usual)).toHaveLength(1);
  const body = { co: false, all: false, force: false };
  expect(wishes).toEqual([
    ["p", { ...body, why: "w" }],
    ["d", { ...body, why: "w" }],
    { ...body, co: true, engines: ["d"] },
  ]);
});

test("without a terminal a destructive command needs --yes, and says how", async () => {
  const question = { what: "All fails.", sameAs: ["pdctl", "x", "--yes"], signal: usual.signal };
  expect(await confirm({ ...question, yes: true })).toBe(true);
  await expect(confirm({ ...question, yes: false })).rejects.toMatchObject({
    ...{ code: "confirmation-needed", tryThis: "pdctl x --yes" },
  });
});
