import { expect, test } from "vitest";
import { shortBytes, shortNumber, shortPercent, shortSeconds } from "../../../src/tui/short.ts";

test.each([
  [undefined, "–"],
  [0, "0ms"],
  [0.012, "12ms"],
  [0.9996, "1.0s"],
  [9.94, "9.9s"],
  [9.95, "10s"],
  [59.6, "1m00s"],
  [3_599.6, "1h00m"],
  [12_000, "3h20m"],
  [439_200, "5d02h"],
] as const)("%s seconds are %s", (seconds, words) => {
  expect(shortSeconds(seconds)).toBe(words);
});

test.each([
  [undefined, "–"],
  [0, "0"],
  [7.5, "7.5"],
  [999, "999"],
  [1_234, "1.2k"],
  [123_456, "123k"],
  [999_999, "1.0M"],
  [4_000_000, "4.0M"],
] as const)("the number %s is %s", (value, words) => {
  expect(shortNumber(value)).toBe(words);
});

test("bytes go by 1,024 and shares by the hundred; what is unknown is a dash", () => {
  expect([512, 3_072, 1024 ** 2 - 1, 1.5 * 1024 ** 3, undefined].map(shortBytes)).toEqual([
    "512B",
    "3.0K",
    "1.0M",
    "1.5G",
    "–",
  ]);
  expect([0, 0.126, 1, undefined].map(shortPercent)).toEqual(["0%", "13%", "100%", "–"]);
});
