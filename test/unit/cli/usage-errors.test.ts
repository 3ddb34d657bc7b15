import { Args, Parser } from "@oclif/core";
import { expect, test } from "vitest";
import { engineFlags } from "../../../src/cli/engine-flags.ts";
import { outputFlag } from "../../../src/cli/flags.ts";
import { isParseError, usageError } from "../../../src/cli/oclif-errors.ts";
import { requestArg } from "../../../src/cli/request-arg.ts";
import { runFlags } from "../../../src/cli/run-flags.ts";
import { unknownCommand } from "../../../src/cli/unknown-command.ts";
import InspectReq from "../../../src/commands/inspect/req.ts";
import ModelList from "../../../src/commands/model/list.ts";

const flags = { ...runFlags, output: outputFlag };
const args = { id: Args.string({ description: "Its id.", required: true }) };

test.each([
  { argv: ["x", "--temperature", "5"], words: '--temperature: expected a temperature from 0 to 2; found "5".' },
  {
    argv: ["x", "--timeout", "5"],
    words: '--timeout: expected a duration such as "250ms", "60s" or "10m"; found "5".',
  },
  { argv: ["x", "--timeout", "600h"], words: '--timeout: expected at most 500h; found "600h".' },
  { argv: ["x", "--max-tokens", "x"], words: "--max-tokens: expected an integer; found x." },
  {
    argv: ["x", "--max-tokens", "0"],
    words: "--max-tokens: expected an integer greater than or equal to 1; found 0.",
  },
  { argv: ["x", "--flet", "a"], words: "Unknown flag --flet." },
  { argv: ["x", "y"], words: "Unexpected argument y." },
  { argv: ["x", "-o", "xml"], words: "Expected --output=xml to be one of: table, wide, json, yaml." },
  { argv: [], words: "Missing ID." },
])("what oclif cannot make sense of is one sentence: $words", async ({ argv, words }) => {
  const error: unknown = await Parser.parse(argv, { flags, args }).catch((reason: unknown) => reason);
  if (!(error instanceof Error)) throw new Error("it was parsed");
  expect(isParseError(error)).toBe(true);
  expect(usageError(error, "inspect:req")).toMatchObject({
    code: "usage",
    message: words,
    tryThis: "pdctl inspect req --help",
  });
});

test("a flag that is missing is named as it is written", async () => {
  const error: unknown = await Parser.parse([], { flags: engineFlags }).catch((reason: unknown) => reason);
  expect(usageError(error as Error, "engine").message).toBe("Missing required flag --model.");
});

test("an empty id is refused, since every id begins with it", async () => {
  const empty = Parser.parse([""], { args: { id: requestArg({ required: true }) } });
  await expect(empty).rejects.toMatchObject({ code: "usage", message: "The id of the request is empty." });
});

test.each([
  { command: "inspect req", flag: InspectReq.flags.output },
  { command: "model list", flag: ModelList.flags.output },
])("$command offers no wide table, as it would be the same one", async ({ flag }) => {
  await expect(Parser.parse(["-o", "wide"], { flags: { output: flag } })).rejects.toThrow("table, json, yaml");
});

const known = ["up", "down", "run", "reqs", "inspect req", "model list", "model pull"];

test.each([
  { argv: ["rn", "hello"], words: 'Unknown command "rn": the nearest command is "run".' },
  { argv: ["inspect", "rq", "x"], words: 'Unknown command "inspect rq": the nearest command is "inspect req".' },
  { argv: ["model", "pul", "--x", "y"], words: 'Unknown command "model pul": the nearest command is "model pull".' },
  { argv: ["model", "destroy", "x"], words: 'Unknown command "model destroy".' },
  { argv: ["xyzzy", "x"], words: 'Unknown command "xyzzy".' },
  { argv: ["--hlp"], words: 'Unknown command "--hlp".' },
  { argv: ["down", "up"], words: 'pdctl down takes no argument; found "up".' },
])("a command that is not there: $words", ({ argv, words }) => {
  expect(unknownCommand(argv, known)).toMatchObject({ code: "usage", message: words });
});
