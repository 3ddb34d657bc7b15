import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadConfig, parseConfig } from "../../../src/cli/config-file.ts";
import { idleKeysWords } from "../../../src/cli/idle-keys.ts";
import type { FleetConfig } from "../../../src/contract/config.ts";
import { PdctlError } from "../../../src/contract/errors.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pdctl-config-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function parsed(lines: readonly string[], env: Record<string, string> = {}): FleetConfig {
  return parseConfig(lines.join("\n"), { name: "pdctl.yaml", env }).config;
}

function refused(act: () => unknown): PdctlError {
  try {
    act();
  } catch (error) {
    if (error instanceof PdctlError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

const engines = [
  "engines:",
  "  - {name: p, role: prefill, driver: native}",
  "  - {name: d, role: decode, driver: native}",
];

test("durations and sizes are read in their units", () => {
  const config = parsed(["fleet: demo", ...engines, "deadlines: {inflight: 2s, connect: 250ms}"]);
  expect(config.fleet).toBe("demo");
  expect(config.deadlines).toMatchObject({ inflight: 2_000, connect: 250, bootstrap: 300_000 });
  expect(config.engines[0]?.pool).toBe(268_435_456);
});

test.each([
  { lines: ["fleet: demo", "modle: x"], words: 'pdctl.yaml:2: unknown key "modle": the nearest valid key is "model"' },
  {
    lines: ["fleet: demo", "deadlines:", "  inflite: 2s"],
    words: 'pdctl.yaml:3: unknown key "inflite" in deadlines: the nearest valid key is "inflight"',
  },
  {
    lines: ["engines:", "  - name: p", "    role: prefill", "    driver: native", "    prot: 1"],
    words: 'pdctl.yaml:5: unknown key "prot" in engines[0]: the nearest valid key is "port"',
  },
  { lines: ["zzzzzz: 1"], words: 'pdctl.yaml:1: unknown key "zzzzzz": known keys are fleet, model, engines' },
  { lines: ["policy:", "  poll: 5"], words: "pdctl.yaml:2: policy.poll: must be a duration" },
  { lines: ["fleet: demo", "engines: 3"], words: "pdctl.yaml:2: engines:" },
  { lines: ["fleet: Demo Fleet"], words: "pdctl.yaml:1: fleet: must be 1 to 32 small letters" },
  { lines: ["canary: {every: never}"], words: "pdctl.yaml:1: canary.every: must be off, or a duration" },
  {
    lines: ["notify:", "  - {webhook: 'https://a.example', exec: [x]}"],
    words: "pdctl.yaml:2: notify[0]: must have either",
  },
  { lines: ["fleet: a", "fleet: b"], words: "pdctl.yaml:2: not YAML" },
  { lines: ["fleet: demo", "engines: ["], words: "not YAML" },
  { lines: ["- a"], words: "the file: must be a map of keys; found a list of 1" },
  {
    lines: [
      "engines:",
      "  - {name: p, role: prefill, driver: native, port: 9}",
      "  - {name: d, role: decode,",
      "     driver: native, port: 9}",
    ],
    words: "pdctl.yaml:4: engines[1].port: port 9 of d is also a port of p",
  },
])("$lines is refused with its line", ({ lines, words }) => {
  const error = refused(() => parsed(lines));
  expect(error.code).toBe("config-invalid");
  expect(error.message).toContain(words);
});

test.each([
  { text: "engines: [{count: 1000000}]", words: "engines[0].count: must be at most 64; found 1000000" },
  { text: "engines: [{threads: 0}]", words: "engines[0].threads: must be at least 1; found 0" },
  { text: "engines: [{threads: 1.5}]", words: "engines[0].threads: must be a whole number; found 1.5" },
  { text: "engines: [{port: 70000}]", words: "engines[0].port: must be at most 65535; found 70000" },
  { text: "engines: [{role: p}]", words: 'engines[0].role: must be prefill, decode or both; found "p"' },
  { text: "engines: [{role: both}]", words: "engines[0].driver: is missing: must be native, sglang or vllm" },
  { text: "engines: [{pool: 9TiB}]", words: 'pool: must be a size in KiB, MiB or GiB, such as "512MiB"; found "9TiB"' },
  { text: "engines: [{args: {x: [1]}}]", words: "args.x: must be a text, a number, true or false; found a list of 1" },
  { text: "engines: []", words: "engines: must be more than empty; found an empty list" },
  { text: "engines: [{url: x}]", words: "engines[0].url: must be a URL such as" },
  { text: "metrics:", words: "metrics: must be a map of keys; found nothing" },
  { text: "model: 3", words: "model: must be a text; found 3" },
  { text: "watchdog: {enabled: 1}", words: "watchdog.enabled: must be true or false; found 1" },
  { text: "deadlines: {inflight: 9999999h}", words: 'deadlines.inflight: must be at most 500h; found "9999999h"' },
])("$text is told in the program's words with what was found", ({ text, words }) => {
  const { message } = refused(() => parsed([text]));
  expect(message).toContain(words);
  expect(message).not.toMatch(/Invalid|expected|Too (?:big|small)/);
});

test.each([
  {
    lines: ["engines:", "  - {name: p, role: prefill, driver: vllm}", engines[2]],
    words: "2: engines[0].driver: this version",
  },
  {
    lines: ["engines:", "  - {name: p, role: prefill, driver: sglang}", engines[2]],
    words: "starts no sglang engines yet",
  },
  {
    lines: [
      "engines:",
      engines[1],
      "  - name: d",
      "    role: decode",
      "    driver: native",
      "    url: 'http://[::1]:1'",
    ],
    words: "6: engines[1].url: this version",
  },
  { lines: ["engines: [{name: p, role: both, driver: native}]"], words: "1: engines[0].role: this version" },
  { lines: ["router: {driver: none}"], words: "1: router.driver: this version starts no router none yet" },
  { lines: ["transfer:", "  backend: nixl"], words: "2: transfer.backend: this version has no transfer back end nixl" },
  { lines: ["fleet: a", "model: nosuch"], words: '2: model: "nosuch" is neither a known model nor a file' },
  { lines: ["model: ./nosuch.gguf"], words: '1: model: "./nosuch.gguf" is neither a known model nor a file' },
  { lines: ["model: /etc/passwd"], words: "1: model: /etc/passwd is no GGUF file" },
  { lines: ["model: /etc/passwd/x.gguf"], words: "1: model:" },
])("$lines, which no start takes, is not valid", ({ lines, words }) => {
  const error = refused(() => parsed(lines.map(String)));
  expect(error.code).toBe("config-invalid");
  expect(error.message).toContain(words);
});

test("a model that no engine uses is passed over", () => {
  const own = engines.map((line) => line.replace("native", "native, model: smollm2-135m"));
  expect(parsed(["model: nosuch", ...own]).model).toBe("nosuch");
});

test("a file with many mistakes shows the first ones and says how many follow", () => {
  const error = refused(() => parsed(Array.from({ length: 12 }, (_, index) => `wrong-${index}: 1`)));
  expect(error.message).toContain("wrong-7");
  expect(error.message).toContain("and 4 more");
});

test("a deadline of the environment wins over the file", () => {
  const config = parsed(["deadlines: {inflight: 2s}"], {
    PDCTL_DEADLINE_INFLIGHT: "3s",
    PDCTL_DEADLINE_FIRST_TOKEN: "10m",
  });
  expect(config.deadlines).toMatchObject({ inflight: 3_000, "first-token": 600_000 });
});

test.each([
  { env: { PDCTL_DEADLINE_INFLITE: "3s" }, words: "PDCTL_DEADLINE_INFLITE", hint: "PDCTL_DEADLINE_INFLIGHT" },
  { env: { PDCTL_DEADLINE_FOO: "1s" }, words: "PDCTL_DEADLINE_FOO is no deadline.", hint: "PDCTL_DEADLINE_TOKEN_GAP" },
  { env: { PDCTL_DEADLINE_INFLITE: "1s" }, words: "the nearest is PDCTL_DEADLINE_INFLIGHT.", hint: "_CONNECT" },
  { env: { PDCTL_DEADLINE_INFLIGHT: "9999999h" }, words: "must be at most 500h", hint: "60s" },
  { env: { PDCTL_DEADLINE_INFLIGHT: "soon" }, words: "PDCTL_DEADLINE_INFLIGHT=soon", hint: "60s" },
  { env: { PDCTL_DEADLINE_INFLIGHT: "500ms" }, words: "must be at least 1s", hint: "config schema" },
])("$env is refused", ({ env, words, hint }) => {
  const error = refused(() => parsed([], env));
  expect(error).toMatchObject({ code: "config-invalid" });
  expect(error.message).toContain(words);
  expect(error.tryThis).toContain(hint);
});

test("keys on which this version does not act are named where the file sets them, also to the usual value", () => {
  const { keys } = parseConfig("fleet: demo\nnotify: []\npolicy: {}\n", { name: "pdctl.yaml", env: {} });
  expect(idleKeysWords(keys)).toEqual(["config     this version does not act yet on: notify"]);
  expect(idleKeysWords(parseConfig("", { name: "pdctl.yaml", env: {} }).keys)).toEqual([]);
});

test("tests may set short ladders", () => {
  expect(parsed(["deadlines: {inflight: 200ms}"], { PDCTL_TEST_LIMITS: "1" }).deadlines.inflight).toBe(200);
});

test("a file that every user may write is refused, and so is one that is not there", () => {
  const path = join(folder, "open.yaml");
  writeFileSync(path, "fleet: demo\n");
  chmodSync(path, 0o666);
  expect(refused(() => loadConfig(path, {}))).toMatchObject({ code: "config-exposed" });
  chmodSync(path, 0o644);
  expect(loadConfig(path, {}).config.fleet).toBe("demo");
  expect(refused(() => loadConfig(join(folder, "none.yaml"), {}))).toMatchObject({ code: "config-unreadable" });
});
