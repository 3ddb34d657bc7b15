import { expect, test } from "vitest";
import { fleetConfigSchema } from "../../../src/contract/config.ts";
import { refusals } from "../../../src/contract/config-rules.ts";

type Input = Parameters<typeof fleetConfigSchema.parse>[0];

const prefill = { name: "prefill", role: "prefill", driver: "native" };
const decode = { name: "decode", role: "decode", driver: "native" };

function problems(input: Input, testLimits = false): string[] {
  return refusals(fleetConfigSchema.parse(input), { testLimits }).map(
    ({ path, words }) => `${path.join(".")}: ${words}`,
  );
}

test("the defaults are one prefill, one decode and the router, and nothing of them is refused", () => {
  const config = fleetConfigSchema.parse({});
  expect(config.engines.map(({ name, role, driver }) => ({ name, role, driver }))).toEqual([prefill, decode]);
  expect(config.deadlines.inflight).toBe(300_000);
  expect(refusals(config, { testLimits: false })).toEqual([]);
});

test.each([
  {
    why: "an engine that is called as a process of pdctl",
    input: { engines: [{ ...prefill, name: "router" }, decode] },
    words: 'engines.0.name: "router" is the name of a process of pdctl itself',
  },
  {
    why: "metrics on the router's port",
    input: { router: { listen: "127.0.0.1:9464" } },
    words: "metrics.listen: port 9464 of metrics is also a port of router",
  },
  {
    why: "two engines with one port",
    input: {
      engines: [
        { ...prefill, port: 9000 },
        { ...decode, port: 9000 },
      ],
    },
    words: "engines.1.port: port 9000 of decode is also a port of prefill",
  },
  {
    why: "an instance of a count that meets another engine's port",
    input: {
      engines: [
        { ...prefill, count: 3, port: 9000 },
        { ...decode, port: 9002 },
      ],
    },
    words: "engines.1.port: port 9002 of decode is also a port of prefill-2",
  },
  {
    why: "a bootstrap port that is the router's",
    input: { engines: [{ ...prefill, "bootstrap-port": 8000 }, decode] },
    words: "engines.0.bootstrap-port: port 8000 of prefill is also a port of router",
  },
  {
    why: "a port beyond the last",
    input: { engines: [{ ...prefill, count: 2, port: 65535 }, decode] },
    words: "engines.0.port: port 65536 of prefill-1 is above 65535",
  },
  {
    why: "two engines of one name",
    input: { engines: [prefill, { ...decode, name: "prefill" }] },
    words: 'engines.1.name: two engines are named "prefill"',
  },
  {
    why: "a GPU that two engines share",
    input: { engines: [{ ...prefill, count: 2, gpus: [[0, 1], [1]] }, decode] },
    words: "engines.0.gpus: GPU 1 of prefill-1 is also a GPU of prefill-0",
  },
  { why: "no decode", input: { engines: [prefill] }, words: "engines: no engine of role decode" },
  { why: "no prefill", input: { engines: [decode] }, words: "engines: no engine of role prefill" },
  {
    why: "a router that others reach",
    input: { router: { listen: "0.0.0.0:8000" } },
    words: "router.listen: reachable from other machines without keys",
  },
  {
    why: "an engine that others reach",
    input: { engines: [{ ...prefill, host: "10.0.0.1" }, decode] },
    words: "engines.0.host: reachable from other machines without keys",
  },
  {
    why: "a flag that pdctl sets itself",
    input: { engines: [{ ...prefill, args: { "ready-file": "/x" } }, decode] },
    words: "engines.0.args.ready-file: is set by pdctl",
  },
  { why: "a suspicion after two polls", input: { policy: { poll: "20s" } }, words: "policy.suspect: must be at least" },
  { why: "a wedge before the suspicion", input: { policy: { wedge: "30s" } }, words: "policy.wedge: must be longer" },
  {
    why: "a transfer deadline beyond the first token",
    input: { deadlines: { inflight: "15m" }, watchdog: { "hard-limit": "20m" } },
    words: "deadlines.inflight: must be below deadlines.first-token (900s); found 900s",
  },
  {
    why: "a deadline below a second",
    input: { deadlines: { waiting: "500ms" } },
    words: "deadlines.waiting: must be at least 1s",
  },
  {
    why: "a wedge without time for two actions before the hard limit",
    input: { policy: { wedge: "595s" } },
    words: "policy.wedge: must be at least 10s below watchdog.hard-limit (600s)",
  },
  {
    why: "an inflight deadline beyond both of its limits, once",
    input: { deadlines: { inflight: "20m" } },
    words: "deadlines.inflight: must be below deadlines.first-token (900s); found 1200s",
  },
  {
    why: "a hard limit below the inflight deadline",
    input: { watchdog: { "hard-limit": "200s" } },
    words: "deadlines.inflight: must be at most watchdog.hard-limit (200s)",
  },
])("$why is refused", ({ input, words }) => {
  const found = problems(input);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(words);
});

test.each([
  { why: "port 0 is everybody's", input: { engines: [prefill, decode] } },
  { why: "an open router that was asked for", input: { router: { listen: "0.0.0.0:8000", "allow-open": true } } },
  { why: "an inflight deadline of two seconds", input: { deadlines: { inflight: "2s" } } },
  { why: "one engine that does both", input: { engines: [{ name: "one", role: "both", driver: "native" }] } },
])("$why is allowed", ({ input }) => {
  expect(problems(input)).toEqual([]);
});

test("tests may have short ladders, and nothing else", () => {
  expect(problems({ deadlines: { inflight: "200ms" }, policy: { poll: "1s", suspect: "1s" } }, true)).toEqual([]);
  expect(problems({ engines: [prefill] }, true)).toHaveLength(1);
});
