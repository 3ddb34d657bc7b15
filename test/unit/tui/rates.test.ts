import { expect, test } from "vitest";
import { measure } from "../../../src/tui/rates.ts";
import { prefill } from "./support/views.ts";

const at = (tokens: number | undefined, { sampleAgeS = 0, generation = 1 } = {}) =>
  prefill("p", { sampleAgeS, generation, load: { prompt_tokens_total: tokens, transfer_bytes_total: 4_096 } });

test("the first view has no rates; the second has the difference over the time between the samples", () => {
  const first = measure(undefined, at(100), 10_000);
  expect(first).not.toHaveProperty("tokensPerS");
  expect(measure(first, at(300, { sampleAgeS: 0.5 }), 12_500)).toMatchObject({ tokensPerS: 100, bytesPerS: 0 });
});

test("a sample that is shown twice keeps its rates", () => {
  const second = measure(measure(undefined, at(100), 10_000), at(300), 12_000);
  expect(measure(second, at(300, { sampleAgeS: 0.95 }), 13_000)).toEqual(second);
});

test.each([
  { what: "of another generation", next: at(300, { generation: 2 }) },
  { what: "that went back", next: at(50) },
  { what: "that is unknown", next: at(undefined) },
])("a counter $what has no rate", ({ next }) => {
  expect(measure(measure(undefined, at(100), 10_000), next, 12_000)).not.toHaveProperty("tokensPerS");
});
