import { expect, test } from "vitest";
import { eventually, expectError, post } from "./support/clients.ts";
import { commit, FixtureEngine } from "./support/fixture-engine.ts";
import { routerBefore, runningRouter } from "./support/running-router.ts";

const bootstrap = { host: "127.0.0.1", port: 8998 };

test.each(["d", "p"] as const)(
  "health is 503 and names the only %s that is dead, until one listens again",
  async (who) => {
    const router = await runningRouter();
    const { url } = router;
    const port = Number(new URL(router[who].url).port);
    router[who].die();
    const lost = await fetch(`${url}/health`);
    expect(lost.status).toBe(503);
    expect(await lost.json()).toMatchObject({
      status: "engine-lost",
      lost: [{ name: `${who}0`, why: "refuses connections" }],
    });
    await new FixtureEngine().listen(port);
    await eventually(async () => expect((await fetch(`${url}/health`)).status).toBe(200));
  },
);

test("an engine that a request found dead is not ok for health's next asker", async () => {
  const { url, d, parts } = await runningRouter();
  d.die();
  await expectError(await post(`${url}/v1/completions`, { prompt: "x" }), 502, "engine-lost", /d0 refuses connections/);
  expect(parts.edges.pick()?.decode.reach.lost).toBe("refuses connections");
  expect((await fetch(`${url}/health`)).status).toBe(503);
});

test("requests go to the engines that answer while another refuses, and health is ok", async () => {
  const [p, dead, alive] = [
    await new FixtureEngine().listen(),
    await new FixtureEngine().listen(),
    await new FixtureEngine().listen(),
  ];
  const decode = [
    { name: "dead", url: dead.url },
    { name: "alive", url: alive.url },
  ];
  dead.die();
  const { url } = await routerBefore({ prefill: [{ name: "p0", url: p.url, bootstrap }], decode, both: [] });
  const health = await fetch(`${url}/health`);
  expect(health.status).toBe(200);
  expect(await health.json()).toMatchObject({ status: "ok", lost: [{ name: "dead" }] });
  for (let request = 0; request < 3; request += 1) {
    const answer = post(`${url}/v1/completions`, { prompt: "x", stream: true });
    const leg = await alive.leg(request);
    commit(leg);
    leg.response.end("data: [DONE]\n\n");
    expect((await answer).status).toBe(200);
  }
});
