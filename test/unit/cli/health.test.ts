import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { askHealth } from "../../../src/cli/ask-health.ts";
import { healthExitCode } from "../../../src/cli/exit-codes.ts";
import { type HealthRule, healthResult, unknownHealth } from "../../../src/cli/health-result.ts";
import { healthWords } from "../../../src/cli/health-words.ts";
import { PdctlError } from "../../../src/contract/errors.ts";
import type { HealthView, Severity } from "../../../src/contract/health.ts";
import { smallDaemon } from "../client/support/small-daemon.ts";

const rule: HealthRule = { failOn: "warning", maxAgeMs: 15_000, unknownAs: "unknown" };

function view(status: Severity, more: Partial<HealthView> = {}): HealthView {
  return { status, fleet: "demo", summary: "2 engines", ageS: 0.5, problems: [], perfdata: {}, ...more };
}

test.each([
  { status: "OK", more: {}, exit: 0 },
  { status: "WARNING", more: {}, exit: 1 },
  { status: "CRITICAL", more: {}, exit: 2 },
  { status: "UNKNOWN", more: {}, exit: 3 },
  { status: "WARNING", more: { failOn: "critical" }, exit: 0 },
  { status: "CRITICAL", more: { failOn: "critical" }, exit: 2 },
  { status: "UNKNOWN", more: { failOn: "critical" }, exit: 3 },
  { status: "UNKNOWN", more: { unknownAs: "critical" }, exit: 2 },
  { status: "UNKNOWN", more: { unknownAs: "warning", failOn: "critical" }, exit: 0 },
] satisfies { status: Severity; more: Partial<HealthRule>; exit: number }[])(
  "$status with $more exits $exit",
  ({ status, more, exit }) => {
    expect(healthResult(view(status), { ...rule, ...more }).exit).toBe(exit);
  },
);

test("old data are unknown, whatever they say", () => {
  const result = healthResult(view("OK", { ageS: 20 }), rule);
  expect(result).toMatchObject({ status: "UNKNOWN", exit: 3 });
  expect(result.summary).toBe("the daemon's data are 20.0 s old, more than 15 s");
});

test("for Nagios the first line has the numbers behind the only bar, with their units", () => {
  const problem = { subject: "edge p:d", status: "CRITICAL" as const, verdict: "wedge" as const, forS: 61 };
  const critical = view("CRITICAL", {
    summary: "1 wedge | p:d",
    problems: [{ ...problem, cause: "transfer-stall", words: "request 4f0c does not move" }],
    perfdata: { inflight: 1, inflight_oldest_seconds: 61, transfer_bytes_total: 7 },
  });
  expect(healthWords(healthResult(critical, rule), "nagios")).toBe(
    [
      "PDCTL CRITICAL - 1 wedge / p:d | 'inflight'=1 'inflight_oldest_seconds'=61s 'transfer_bytes_total'=7c",
      "CRITICAL edge p:d: wedge (transfer-stall) for 1 m 01 s. request 4f0c does not move",
      "",
    ].join("\n"),
  );
});

test("without numbers there is no bar; as text the problems are below the status", () => {
  expect(healthWords(unknownHealth("no daemon", rule), "nagios")).toBe("PDCTL UNKNOWN - no daemon\n");
  expect(healthWords(healthResult(view("OK"), rule), "text")).toBe("OK: 2 engines\n");
  expect(JSON.parse(healthWords(unknownHealth("no daemon", rule), "json"))).toEqual({
    ...{ status: "UNKNOWN", summary: "no daemon", exit: 3 },
  });
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pd-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("no daemon, and one that hangs, are unknown; a wrong command line is no answer", async () => {
  const socket = join(folder, "a.sock");
  const choice = { fleet: undefined, socket, timeout: 100 };
  const signal = AbortSignal.timeout(20_000);
  expect(await askHealth(choice, rule, signal)).toMatchObject({ status: "UNKNOWN", exit: 3 });
  const daemon = await smallDaemon(socket, (server) => {
    server.get("/v1/health", async () => await new Promise<never>(() => undefined));
  });
  try {
    expect((await askHealth(choice, rule, signal)).summary).toContain("did not answer within 0.1 s");
  } finally {
    await daemon.close();
  }
  await expect(askHealth({ ...choice, fleet: "No Name" }, rule, signal)).rejects.toMatchObject({ code: "usage" });
});

test("every error of health is 3, but for Ctrl-C", () => {
  expect(healthExitCode(new PdctlError("usage", "", ""))).toBe(3);
  expect(healthExitCode(new PdctlError("interrupted", "", ""))).toBe(130);
});
