import { expect, test } from "vitest";
import { nearest } from "../../../src/lib/nearest.ts";

const keys = ["model", "engines", "router", "deadlines", "first-token"];

test.each([
  { word: "modle", found: "model" },
  { word: "engine", found: "engines" },
  { word: "dedlines", found: "deadlines" },
  { word: "first_token", found: "first-token" },
  { word: "doctor", found: undefined },
  { word: "zebra-crossing", found: undefined },
  { word: "", found: undefined },
])('"$word" most likely means $found', ({ word, found }) => {
  expect(nearest(word, keys)).toBe(found);
});
