import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, complete, told } from "./support/completions.ts";
import { Fleet } from "./support/fleet.ts";
import { textOf } from "./support/texts.ts";
import { until } from "./support/until.ts";

let fleet: Fleet;
beforeAll(async () => {
  fleet = await Fleet.start({
    allowFaults: true,
    config: ["deadlines: {inflight: 2s}"],
    env: { PDCTL_TEST_LIMITS: "1" },
  });
});
afterAll(async () => await fleet.end());

const asks = [40, 90, 160, 320].map((tokens, index) => ({ prompt: textOf(tokens, 100 + index), max_tokens: 16 }));

test("a copy that stands still and goes on after the deadline brings no wrong token to anyone", async () => {
  const { prefill, decode } = await fleet.engines();
  const expected: Answer[] = [];
  for (const ask of asks) expected.push(await complete(fleet.url, ask));
  for (const answer of expected) expect(answer, fleet.said()).toMatchObject({ status: 200 });

  await decode.fault("park-copy-thread", true);
  const parked = await Promise.all(
    asks.map(async (ask) => await complete(fleet.url, ask, AbortSignal.timeout(60_000))),
  );
  for (const answer of parked) expect(answer, fleet.said()).toMatchObject({ status: 504 });
  const failed = await decode.state();
  expect(failed.totals.transferFailed).toBeGreaterThan(0);
  expect(failed.pages.held, "pages of a copy that may still write").toBeGreaterThan(0);

  // New requests are on their way when the old copy goes on.
  const during = asks.map(async (ask) => await complete(fleet.url, ask));
  await until("a new request to be in transfer", 30_000, async () =>
    (await decode.state()).queues.transfer > 0 ? true : undefined,
  );
  await decode.fault("park-copy-thread", false);
  expectSameOrFailed(await Promise.all(during), expected);

  const after: Answer[] = [];
  for (const ask of asks) after.push(await complete(fleet.url, ask));
  expect(after.map(told), fleet.said()).toEqual(expected.map(told));
  await prefill.quiet(10_000);
  await decode.quiet(10_000);
});

/** Whoever waited behind the parked copy may have run into a deadline; whoever got tokens got the right ones. */
function expectSameOrFailed(answers: readonly Answer[], expected: readonly Answer[]): void {
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 200) expect(told(answer)).toEqual(told(expected[index] ?? answer));
    else expect(answer.status, answer.body).toBe(504);
  }
}
