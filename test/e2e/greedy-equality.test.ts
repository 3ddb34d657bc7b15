import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { complete, type Told, told } from "./support/completions.ts";
import { Engine } from "./support/engine.ts";
import { makeHome, removeHome } from "./support/home.ts";
import { Pair } from "./support/pair.ts";
import { textOf } from "./support/texts.ts";

// Around the page (16), the chunk grid (256), and where attention takes another path (64 queries).
const lengths = [1, 2, 7, 15, 16, 17, 33, 63, 65, 100, 128, 180, 255, 257, 300, 330, 400, 513, 760, 1500];
const prompts = lengths.map((tokens, index) => textOf(tokens, index + 1));
const together = [2, 17, 65, 128, 257, 400].map((length) => lengths.indexOf(length));

async function tell(url: string, index: number): Promise<Told> {
  const answer = await complete(url, { prompt: prompts[index] ?? "", max_tokens: 24 });
  if (answer.status !== 200) throw new Error(`prompt ${index}: ${answer.status} ${answer.body}`);
  return told(answer);
}

let home: string;
let both: Engine;
const expected: Promise<Told>[] = [];
beforeAll(async () => {
  home = makeHome();
  both = await Engine.start(home, "both", { role: "both" });
  // One after another in the background: the pair computes the same prompts on the other core.
  let last: Promise<unknown> = Promise.resolve();
  for (const index of prompts.keys()) {
    const answer = last.then(async () => await tell(both.ready.url, index));
    answer.catch(() => {}); // reported by the test that awaits it
    expected.push(answer);
    last = answer;
  }
});
afterAll(async () => {
  await both.end();
  removeHome(home);
});

describe("with contiguous pages", () => {
  const pair = startedPair([]);

  test("greedy output through prefill and decode is that of one engine, for prompts of 1 to 1,500 tokens", async () => {
    for (const index of prompts.keys()) {
      expect(await tell(pair().url, index), `${lengths[index]} tokens`).toEqual(await expected[index]);
    }
  });

  test("six at once have the same output as each by itself", async () => await expectSixAtOnce(pair()));
  test("afterwards no page is owned by anybody", async () => await expectQuiet(pair()));
});

describe("with pages that are never neighbours", () => {
  const pair = startedPair(["--scattered-pages"]);

  test("six at once have the same output as each by itself", async () => await expectSixAtOnce(pair()));
  test("afterwards no page is owned by anybody", async () => await expectQuiet(pair()));
});

test("the prompts really have 1 to 1,500 tokens", async () => {
  const counts = (await Promise.all(expected)).map((answer) => answer.promptTokens ?? 0);
  expect(Math.min(...counts)).toBeLessThanOrEqual(2);
  expect(Math.max(...counts)).toBeGreaterThan(1400);
});

function startedPair(flags: readonly string[]): () => Pair {
  let pair: Pair;
  beforeAll(async () => {
    pair = await Pair.start(flags);
  });
  afterAll(async () => await pair.end());
  return () => pair;
}

async function expectSixAtOnce(pair: Pair): Promise<void> {
  const answers = await Promise.all(together.map(async (index) => await tell(pair.url, index)));
  for (const [at, index] of together.entries()) {
    expect(answers[at], `${lengths[index]} tokens`).toEqual(await expected[index]);
  }
}

async function expectQuiet({ prefill, decode }: Pair): Promise<void> {
  await prefill.admin.quiet(10_000);
  await decode.admin.quiet(10_000);
}
