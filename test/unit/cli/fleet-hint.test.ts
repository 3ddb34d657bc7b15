import { expect, test } from "vitest";
import { fleetArgsIn, withFleetArgs } from "../../../src/cli/fleet-hint.ts";

test.each([
  { argv: ["restart", "d", "--socket", "/x y"], hint: "pdctl restart --socket '/x y' d --yes" },
  { argv: ["restart", "d", "--fleet=second"], hint: "pdctl restart --fleet second d --yes" },
  { argv: ["restart", "d"], hint: "pdctl restart d --yes" },
])("a command line that is proposed means the fleet of $argv", ({ argv, hint }) => {
  expect(withFleetArgs("pdctl restart d --yes", fleetArgsIn(argv))).toBe(hint);
});

test.each([
  { words: "pdctl up; pdctl fail req 4f0c", told: "pdctl up --fleet b; pdctl fail req --fleet b 4f0c" },
  { words: "pdctl status --help", told: "pdctl status --help" },
  { words: "pdctl down --fleet a", told: "pdctl down --fleet a" },
  { words: "pdctl config check, then pdctl up", told: "pdctl config check, then pdctl up --fleet b" },
])("only commands that ask a fleet, and name none: $words", ({ words, told }) => {
  expect(withFleetArgs(words, ["--fleet", "b"])).toBe(told);
});
