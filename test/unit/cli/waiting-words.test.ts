import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tellWhere, waitingWords } from "../../../src/cli/waiting-words.ts";
import { DaemonClient } from "../../../src/client/daemon-client.ts";
import type { RequestDetail } from "../../../src/contract/request-view.ts";
import { smallDaemon } from "../client/support/small-daemon.ts";
import { record } from "../daemon/poller/records.ts";

const detail: RequestDetail = {
  request: {
    ...{ id: "3f2a", clientId: "run-1", stage: "prefill", live: true, arrived: "2026-01-01T00:00:00.000Z" },
    ...{ ageMs: 6_000, promptTokens: 4_896, spans: [] },
  },
  legs: [{ engine: "prefill", record: record("3f2a", [["running", 0]], { rowsComputed: 512, promptTokens: 4_896 }) }],
  unanswered: [],
};

test("a request in prefill is told with how far it is, and another by its stage", () => {
  expect(waitingWords(detail)).toBe("waiting: prefill, 512 of 4,896 tokens");
  expect(waitingWords({ ...detail, request: { ...detail.request, stage: "transfer" } })).toBe("waiting: transfer");
});

let folder: string;
let daemon: FastifyInstance;
let looks = 0;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "pd-"));
  looks = 0;
  daemon = await smallDaemon(join(folder, "a.sock"), (server) => {
    server.get("/v1/requests/run-1", () => {
      looks++;
      return detail;
    });
  });
});
afterEach(async () => {
  await daemon.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a long silence before the first token is broken, and a place is said once", async () => {
  const said: string[] = [];
  const first = new AbortController();
  const say = (line: string): void => {
    said.push(line);
  };
  const client = new DaemonClient(join(folder, "a.sock"));
  const told = tellWhere({ client, requestId: "run-1", everyMs: 1, signal: first.signal, say });
  await expect.poll(() => looks, { timeout: 20_000 }).toBeGreaterThan(2);
  first.abort();
  await told;
  expect(said).toEqual(["waiting: prefill, 512 of 4,896 tokens"]);
});

test("a quick answer says nothing, and a daemon that is gone disturbs no answer", async () => {
  const say = (): never => {
    throw new Error("said");
  };
  const client = new DaemonClient(join(folder, "b.sock"));
  const signal = AbortSignal.timeout(300);
  await tellWhere({ client, requestId: "run-1", everyMs: 1, signal, say });
  await tellWhere({ client, requestId: "run-1", everyMs: 60_000, signal: AbortSignal.abort(), say });
});
