import { Flags } from "@oclif/core";
import { fleetFlags } from "./flags.ts";
import { durationFlag } from "./process-flags.ts";

export const healthFlags = {
  ...fleetFlags,
  output: Flags.option({
    char: "o",
    summary: "How to print it.",
    options: ["text", "nagios", "json"] as const,
    default: "text" as const,
  })(),
  "fail-on": Flags.option({
    summary: "The least that is no success; with critical a warning exits 0.",
    options: ["warning", "critical"] as const,
    default: "warning" as const,
  })(),
  "unknown-as": Flags.option({
    summary: "What an unknown state, and no daemon, counts as.",
    options: ["ok", "warning", "critical", "unknown"] as const,
    default: "unknown" as const,
  })(),
  "max-age": durationFlag({ summary: "Older data of the daemon are unknown.", default: 15_000 }),
  timeout: durationFlag({ summary: "How long the daemon may take to answer.", default: 5_000 }),
};
