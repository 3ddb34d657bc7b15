import { afterEach, expect, test } from "vitest";
import { complete, told } from "./support/completions.ts";
import { Fleet } from "./support/fleet.ts";
import { stream } from "./support/streams.ts";
import { until } from "./support/until.ts";

let fleet: Fleet | undefined;
afterEach(async () => {
  await fleet?.end();
  fleet = undefined;
});

const ask = { prompt: "The capital of France is", max_tokens: 8 };
const policy = "policy: {poll: 300ms, suspect: 2s, wedge: 4s, act: [co-restart]}";

async function start(env: Record<string, string> = {}): Promise<Fleet> {
  return await Fleet.start({ allowFaults: true, config: [policy], env: { PDCTL_TEST_LIMITS: "1", ...env } });
}

/** Pins one request for ever, and gives its client and those of others that have sent no byte. */
async function pinned(of: Fleet) {
  const { prefill, decode } = await of.engines();
  for (const engine of [prefill, decode]) await engine.fault("ignore-deadlines", true);
  await prefill.fault("never-send", true);
  const stuck = complete(of.url, ask, AbortSignal.timeout(150_000));
  const id = await until("the request to be inflight", 30_000, async () => {
    return (await prefill.records()).find(({ live, stage }) => live && stage === "inflight")?.id;
  });
  return { id, stuck, prefill };
}

test("without fail the pair is started again: the pinned request fails, unsent ones are answered by the new pair", async () => {
  fleet = await start();
  const good = await complete(fleet.url, ask);
  const before = await fleet.view();
  const { stuck, id } = await pinned(fleet);
  // Younger than the pinned one, and as stuck: they have sent no byte, and no verdict names them first.
  const unsent = [0, 1].map(async () => await complete(fleet?.url ?? "", ask, AbortSignal.timeout(150_000)));

  const answer = await stuck;
  expect(answer.status, `${answer.body}\n${fleet.said()}`).toBeGreaterThanOrEqual(500);
  expect(answer.body).toMatch(/transfer-stall|restart/);
  for (const one of await Promise.all(unsent)) {
    // One that had come to be a subject of the verdict, too, hears a clear error; the others are answered.
    if (one.status !== 200) expect(one.body, fleet.said()).toMatch(/transfer-stall|restart/);
    else expect(told(one)).toEqual(told(good));
  }
  const after = await fleet.seen("the new pair to serve", 120_000, (view) =>
    view.state === "ready" && view.epoch === before.epoch + 1 ? view : undefined,
  );
  for (const engine of after.engines) {
    const old = before.engines.find(({ name }) => name === engine.name);
    expect(engine.generation).toBe((old?.generation ?? 0) + 1);
    expect(engine.pid).not.toBe(old?.pid);
    expect(engine.url).toBe(old?.url);
  }
  expect(after.router.pid, "the router is not restarted").toBe(before.router.pid);
  expect(told(await complete(fleet.url, ask)), fleet.said()).toEqual(told(good));
  const detail = await fleet.cli(["inspect", "req", id]);
  expect(detail.stdout + detail.stderr).not.toMatch(/^\s+at /m);
});

test("restart --co --all by hand: begun streams end with the SSE error, unsent requests are answered with attempt 2", async () => {
  fleet = await start();
  const good = await complete(fleet.url, ask);
  const { decode } = await fleet.engines();
  const begun = stream(fleet.url, { ...ask, max_tokens: 2_000, ignore_eos: true }, AbortSignal.timeout(150_000));
  await until("the stream to run", 30_000, async () => ((await decode.state()).queues.running > 0 ? true : undefined));
  // Not streaming: no byte goes out before its end, so it can be sent again.
  const unsent = fetch(`${fleet.url}/v1/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "any", temperature: 0, ...ask, max_tokens: 300, ignore_eos: true }),
    signal: AbortSignal.timeout(150_000),
  });
  await until("both to run", 30_000, async () => ((await decode.state()).queues.running > 1 ? true : undefined));

  const epoch = (await fleet.view()).epoch;
  const restart = await fleet.cli(["restart", "--co", "--all", "--why", "a test of it", "--yes"], 120_000);
  expect(restart, `${restart.stderr}\n${fleet.said()}`).toMatchObject({ code: 0 });
  expect((await fleet.view()).epoch).toBe(epoch + 1);

  const broken = await begun;
  expect(broken, JSON.stringify(broken)).toMatchObject({ status: 200 });
  expect(broken.error, fleet.said()).toMatch(/restart/);
  const again = await unsent;
  expect(again.status, `${await again.clone().text()}\n${fleet.said()}`).toBe(200);
  expect(again.headers.get("x-pdctl-attempt")).toBe("2");
  expect(told(await complete(fleet.url, ask)), fleet.said()).toEqual(told(good));
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "a daemon that is killed at step %i of a co-restart leaves it to the next one, which completes it",
  async (step) => {
    fleet = await start({ PDCTL_TEST_DIE_AT: `co-restart:${step}` });
    const before = await fleet.view();
    const others = [0, 1, 2].map(async () => await complete(fleet?.url ?? "", ask, AbortSignal.timeout(150_000)));
    await Promise.all(others);
    const { stuck } = await pinned(fleet);
    const late = [0, 1].map(async () => await complete(fleet?.url ?? "", ask, AbortSignal.timeout(150_000)));

    const after = await fleet.seen("the next daemon to have completed it", 150_000, (view) =>
      view.daemon.pid !== before.daemon.pid && view.state === "ready" && view.epoch === before.epoch + 1
        ? view
        : undefined,
    );
    expect(after.engines.map(({ state }) => state)).toEqual(["ready", "ready"]);
    for (const answer of [await stuck, ...(await Promise.all(late))]) {
      expect(answer.status, `${answer.body}\n${fleet.said()}`).toSatisfy(
        (code: number) => code === 200 || code === 503,
      );
      if (answer.status !== 200) expect(answer.body).toContain('"error"');
    }
    expect(await complete(fleet.url, ask), fleet.said()).toMatchObject({ status: 200 });
  },
);
