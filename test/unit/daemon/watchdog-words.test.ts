import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { WatchdogWords } from "../../../src/daemon/watchdog-words.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { fileLog } from "../../../src/lib/log.ts";
import { Teller } from "../../../src/watchdog/teller.ts";

function logPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "pdctl-words-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "watchdog.log");
}

test("what the watchdog tells becomes events, each once, and not what was told before", () => {
  const path = logPath();
  const old = { time: "2026-01-01T00:00:00Z", kind: "watchdog", subject: "daemon", severity: "critical", msg: "old" };
  appendFileSync(path, `${JSON.stringify(old)}\nno JSON\n`);
  const words = new WatchdogWords(path, old.time);
  expect(words.take()).toEqual([]);
  const teller = new Teller(fileLog(path), systemClock);
  teller.tell({ subject: "watchdog", severity: "ok", words: "process 7 watches" });
  teller.tell({ subject: "engine prefill", severity: "critical", words: "fail: request r1" });
  expect(words.take()).toEqual([
    { kind: "watchdog", subject: "engine prefill", severity: "critical", words: "fail: request r1" },
  ]);
  expect(words.take()).toEqual([]);
});

test("a watchdog that has said nothing yet is no error", () => {
  expect(new WatchdogWords(logPath(), "").take()).toEqual([]);
});
