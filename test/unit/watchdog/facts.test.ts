import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fleetConfigSchema } from "../../../src/contract/config.ts";
import { allowedSteps, wishOf } from "../../../src/watchdog/fleet.ts";
import { limitsOf } from "../../../src/watchdog/limits.ts";
import { openAction } from "../../../src/watchdog/open-action.ts";
import { feel, isFrozen, type Pulse } from "../../../src/watchdog/pulse.ts";

const limits = { heartbeatMs: 15_000, firstBeatMs: 60_000 };

test.each([
  { name: "it beats", beats: ["200", "201", "202", "203"], frozen: false },
  { name: "its heartbeat stands still for 15 s", beats: ["200", "201", "201", "201", "201"], frozen: true },
  { name: "it stands still for 10 s", beats: ["200", "201", "201", "201"], frozen: false },
  { name: "the heartbeat is still that of the daemon before it", beats: ["50", "50", "50", "50", "50"], frozen: false },
  { name: "it has never beaten in a minute", beats: Array.from({ length: 13 }, () => undefined), frozen: true },
])("$name → frozen: $frozen", ({ beats, frozen }) => {
  const pulse = beats.reduce<Pulse | undefined>(
    (before, beat) => feel(before, { daemon: "7:1", startedMs: 100, beat }, 5_000),
    undefined,
  );
  expect(pulse !== undefined && isFrozen(pulse, limits)).toBe(frozen);
});

test("another daemon begins anew", () => {
  const before = { daemon: "7:1", startedMs: 100, beat: "200", stillMs: 14_000 };
  expect(feel(before, { daemon: "8:2", startedMs: 300, beat: "200" }, 5_000).stillMs).toBe(0);
});

test.each([
  { lines: [], open: undefined },
  {
    lines: [{ kind: "begin", action: { id: "a1", action: "restart", target: "engine d" } }],
    open: "restart of engine d",
  },
  {
    lines: [
      { kind: "begin", action: { id: "a1", action: "restart", target: "engine d" } },
      { kind: "step", actionId: "a1", step: 1, words: "stop" },
      { kind: "end", outcome: { actionId: "a1", outcome: "done" } },
    ],
    open: undefined,
  },
  { lines: [{ kind: "begin", action: { id: "a2", action: "canary", target: "edge p:d" } }], open: undefined },
  { lines: ["half a li"], open: undefined },
])("intents $lines → open: $open", ({ lines, open }) => {
  const folder = mkdtempSync(join(tmpdir(), "pdctl-intents-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "intents.log");
  expect(openAction(path)).toBeUndefined();
  const texts = lines.map((line) => (typeof line === "string" ? line : `${JSON.stringify(line)}\n`));
  writeFileSync(path, `${texts.join("")}${"\0".repeat(100)}`);
  expect(openAction(path)).toBe(open);
});

test.each([
  { intent: undefined, wish: "unknown" },
  { intent: { wish: "up", epoch: 1 } as const, wish: "up" },
  { intent: { wish: "maintenance", epoch: 1 } as const, wish: "maintenance" },
  { intent: { wish: "maintenance", epoch: 1, until: "1970-01-01T00:00:02Z" } as const, wish: "maintenance" },
  { intent: { wish: "maintenance", epoch: 1, until: "1970-01-01T00:00:01Z" } as const, wish: "up" },
])("$intent at second 1 → $wish", ({ intent, wish }) => {
  expect(wishOf(intent, 1_000)).toBe(wish);
});

test("limits come from the configuration, and only a test fleet may shorten them", () => {
  const config = fleetConfigSchema.parse({ policy: { wedge: "50s" }, watchdog: { "hard-limit": "400s" } });
  const env = { PDCTL_TEST_WATCHDOG: "hard=5s heartbeat=2s nonsense=x" };
  expect(limitsOf(config, env)).toMatchObject({ hardMs: 400_000, quietMs: 50_000, heartbeatMs: 15_000 });
  expect(limitsOf(config, { ...env, PDCTL_TEST_LIMITS: "1" })).toMatchObject({ hardMs: 5_000, heartbeatMs: 2_000 });
});

test("an attached engine may only be failed on, unless the policy says more", () => {
  const launched = { name: "p", role: "prefill", driver: "native" } as const;
  const attached = { ...launched, url: "http://127.0.0.1:1" };
  expect(allowedSteps(fleetConfigSchema.parse({ engines: [launched] }))).toEqual(["fail", "co-restart"]);
  expect(allowedSteps(fleetConfigSchema.parse({ engines: [launched, attached] }))).toEqual(["fail"]);
  expect(allowedSteps(fleetConfigSchema.parse({ engines: [launched], policy: { act: [] } }))).toEqual([]);
});
