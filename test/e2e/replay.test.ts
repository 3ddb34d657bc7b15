import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fleetLineSchema, observationSchema } from "../../src/contract/observation.ts";
import { complete } from "./support/completions.ts";
import { pdctl } from "./support/environment.ts";
import { Fleet } from "./support/fleet.ts";
import { Running } from "./support/running.ts";
import { until } from "./support/until.ts";

let fleet: Fleet;
beforeAll(async () => {
  fleet = await Fleet.start({
    allowFaults: true,
    config: ["policy: {poll: 500ms, suspect: 2s, wedge: 5s}"],
    env: { PDCTL_TEST_LIMITS: "1" },
  });
});
afterAll(async () => await fleet.end());

test("what was recorded of a wedge is decided again by replay, and holds no prompt", async () => {
  const { prefill, decode } = await fleet.engines();
  const file = join(fleet.home, "wedge.jsonl");
  const record = new Running(pdctl, ["record", file, "--for", "25s"], { env: fleet.env });
  await until("the recording to begin", 30_000, () => (lines(file).length > 2 ? true : undefined));
  for (const engine of [prefill, decode]) await engine.fault("ignore-deadlines", true);
  await prefill.fault("never-send", true);
  const prompt = "A secret that no recording holds:";
  const answer = await complete(fleet.url, { prompt, max_tokens: 8 }, AbortSignal.timeout(120_000));
  expect(answer.status, fleet.said()).toBeGreaterThanOrEqual(500);
  const ended = await record.finish(60_000);
  expect(ended, ended.stderr).toMatchObject({ code: 0 });

  const [first = "", ...rest] = lines(file);
  expect(
    fleetLineSchema
      .parse(JSON.parse(first))
      .engines.map(({ role }) => role)
      .sort(),
  ).toEqual(["decode", "prefill", "router"]);
  for (const line of rest) observationSchema.parse(JSON.parse(line));
  expect(rest.join("\n")).not.toContain("secret");

  const replay = await fleet.cli(["replay", file]);
  expect(replay, replay.stderr).toMatchObject({ code: 0 });
  const decided = replay.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { kind: string; verdict?: string; cause?: string; action?: string });
  expect(decided).toContainEqual(
    expect.objectContaining({ kind: "verdict", verdict: "wedge", cause: "transfer-stall" }),
  );
  expect(decided).toContainEqual(expect.objectContaining({ kind: "action", action: "fail" }));
  expect((await fleet.cli(["replay", file])).stdout, "the same every time").toBe(replay.stdout);
});

function lines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").trim().split("\n");
  } catch {
    return []; // not begun yet
  }
}
