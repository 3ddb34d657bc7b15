import { afterAll, beforeAll, expect, test } from "vitest";
import { requestDetailSchema, requestListSchema } from "../../src/contract/request-view.ts";
import { complete, told } from "./support/completions.ts";
import { Fleet } from "./support/fleet.ts";
import { HealthStory } from "./support/story.ts";
import { stream } from "./support/streams.ts";
import { until } from "./support/until.ts";

let fleet: Fleet;
beforeAll(async () => {
  fleet = await Fleet.start({
    allowFaults: true,
    config: ["policy: {poll: 1s, suspect: 4s, wedge: 9s}", "watchdog: {hard-limit: 600s}"],
    env: { PDCTL_TEST_LIMITS: "1" },
  });
});
afterAll(async () => await fleet.end());

const ask = { prompt: "The capital of France is", max_tokens: 8 };

test("a pinned request is seen, named, failed alone, and told the same way everywhere", async () => {
  const { prefill, decode } = await fleet.engines();
  const good = await complete(fleet.url, ask);
  expect(good, fleet.said()).toMatchObject({ status: 200 });
  const health = new HealthStory(fleet);
  await until("health to be OK", 30_000, () => (health.now === "OK" ? true : undefined));

  await prefill.fault("ignore-deadlines", true);
  await decode.fault("ignore-deadlines", true);
  await prefill.fault("never-send", true);
  const client = complete(fleet.url, ask, AbortSignal.timeout(120_000));
  const pinned = await until("the request to be inflight", 30_000, async () => {
    return (await prefill.records()).find(({ live, stage }) => live && stage === "inflight")?.id;
  });
  await prefill.fault("never-send", false);
  const beside = stream(fleet.url, { ...ask, max_tokens: 400, ignore_eos: true }, AbortSignal.timeout(120_000));

  // While it is suspect.
  await until("the suspicion", 30_000, () => (health.now === "WARNING" ? true : undefined));
  const [code, reqs, inspected, status] = await Promise.all([
    fleet.cli(["health"]),
    fleet.cli(["reqs", "-o", "json"]),
    fleet.cli(["inspect", "req", pinned, "-o", "json"]),
    fleet.cli(["status", "-o", "json"]),
  ]);
  expect(code, code.stderr).toMatchObject({ code: 1 });
  expect(code.stdout).toContain(pinned);
  const row = requestListSchema.parse(JSON.parse(reqs.stdout)).requests.find(({ id }) => id === pinned);
  expect(row).toMatchObject({ stage: "transfer", verdict: "suspect", live: true });
  expect(requestDetailSchema.parse(JSON.parse(inspected.stdout)).request).toMatchObject({ verdict: "suspect" });
  expect(status, status.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(status.stdout)).toMatchObject({ verdict: "suspect", incidents: [] });

  // The client is told, and nobody else has noticed.
  const answer = await client;
  expect(answer.status, `${answer.body}\n${fleet.said()}`).toBeGreaterThanOrEqual(500);
  expect(answer.body).toContain("transfer-stall");
  expect(await beside).toMatchObject({ status: 200, done: true, error: undefined });
  expect(told(await complete(fleet.url, ask)), fleet.said()).toEqual(told(good));

  await until("health to be OK again", 30_000, () => (health.now === "OK" ? true : undefined));
  await health.close();
  // What was before the first OK was the start.
  const story = health.statuses.slice(health.statuses.indexOf("OK"));
  expect(story, fleet.said()).toEqual(["OK", "WARNING", "CRITICAL", "OK"]);
  const incident = await fleet.seen("the incident to end", 30_000, ({ incidents }) =>
    incidents.find(({ subject, ended }) => subject === `request ${pinned}` && ended !== undefined),
  );
  expect(incident).toMatchObject({ verdict: "wedge", cause: "transfer-stall" });

  const events = await fleet.cli(["events", "--since", "10m"]);
  for (const words of ["suspect", "wedge", "transfer-stall", "fail"]) expect(events.stdout).toContain(words);
  expect(events.stdout).toContain(pinned);
  const after = requestDetailSchema.parse(
    JSON.parse((await fleet.cli(["inspect", "req", pinned, "-o", "json"])).stdout),
  );
  expect(after.request).toMatchObject({ stage: "failed", live: false });

  const metrics = await scrape((await fleet.view()).metrics ?? "");
  expect(metrics).toMatch(/^pdctl_incidents_total\{cause="transfer-stall"\} 1$/m);
  expect(metrics).toMatch(/^pdctl_actions_total\{action="fail",outcome="done"\} 1$/m);
  expect(metrics).toMatch(/^pdctl_inflight_requests\{engine="prefill"\} 0$/m);
  expect(metrics).toMatch(/^pdctl_heal_seconds_count 1$/m);
  await prefill.quiet(10_000);
  await decode.quiet(10_000);
});

test("a verdict comes within the policy: not before suspect and wedge, and at most two polls later", async () => {
  const events = await fleet.cli(["events", "--since", "10m", "-o", "json"]);
  const lines = JSON.parse(events.stdout) as readonly { kind: string; subject: string; words: string; atMs: number }[];
  const verdicts = lines.filter(({ kind, subject }) => kind === "verdict" && subject.startsWith("request "));
  const suspect = verdicts.find(({ words }) => words.includes("suspect"));
  const wedge = verdicts.find(({ words }) => words.includes("wedge"));
  if (suspect === undefined || wedge === undefined) throw new Error(events.stdout);
  // 4 s and 9 s after the same moment, each rounded up to a tick of 1 s: a generous span for a loaded machine.
  expect(wedge.atMs - suspect.atMs).toBeGreaterThan(2_500);
  expect(wedge.atMs - suspect.atMs).toBeLessThan(12_000);
});

async function scrape(listen: string): Promise<string> {
  const response = await fetch(`http://${listen}/metrics`, { signal: AbortSignal.timeout(10_000) });
  return await response.text();
}
