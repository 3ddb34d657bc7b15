import { Flags } from "@oclif/core";
import { configFlag, fleetFlags } from "./flags.ts";
import { durationFlag, refuse } from "./process-flags.ts";

const temperatureFlag = Flags.custom<number>({
  parse: async (text) => {
    const value = Number(text);
    return text.trim() !== "" && value >= 0 && value <= 2 ? value : refuse(text, "a temperature from 0 to 2");
  },
});

export const runFlags = {
  ...fleetFlags,
  file: configFlag,
  keep: Flags.boolean({ summary: "Let a fleet that this command starts go on running." }),
  "max-tokens": Flags.integer({ summary: "Longest answer, in tokens.", default: 256, min: 1 }),
  temperature: temperatureFlag({ summary: "0 always takes the likeliest token.", default: 0 }),
  // Without one the template of the default model says who it is; plain questions fare better with plain words.
  system: Flags.string({
    summary: 'What the model is told before the prompt; "" leaves it to the model.',
    helpValue: "TEXT",
    default: "You are a helpful assistant.",
  }),
  timeout: durationFlag({ summary: "How long the start of a fleet may take.", default: 600_000 }),
};
