import { Flags } from "@oclif/core";
import { fleetFlags, tableOutputFlag } from "./flags.ts";
import { whyMax } from "../contract/wishes.ts";
import { durationFlag, refuse } from "./process-flags.ts";

/** What every command that acts takes. */
export const actionFlags = {
  ...fleetFlags,
  output: tableOutputFlag,
  timeout: durationFlag({ summary: "How long to wait for the outcome.", default: 600_000 }),
};

export const yesFlag = Flags.boolean({ char: "y", summary: "Do not ask; needed where there is no terminal." });

export const forceFlag = Flags.boolean({ summary: "Also beyond the budget, or where it takes the last of a role." });

export const whyFlag = Flags.custom<string>({
  summary: "Why, for the journal and for the clients it hits.",
  helpValue: "TEXT",
  parse: async (text) => {
    if (text.trim() === "") refuse(text, "a reason");
    return text.length <= whyMax ? text : refuse(`${text.slice(0, 20)}…`, `at most ${whyMax} characters`);
  },
});
