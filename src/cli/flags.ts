import { Flags } from "@oclif/core";
import { durationFlag } from "./process-flags.ts";

/** How to print data. */
export const outputFlag = Flags.option({
  char: "o",
  summary: "How to print the data.",
  options: ["table", "wide", "json", "yaml"] as const,
  default: "table" as const,
})();

/** The same for data of which the table shows everything already. */
export const tableOutputFlag = Flags.option({
  char: "o",
  summary: "How to print the data.",
  options: ["table", "json", "yaml"] as const,
  default: "table" as const,
})();

/** Which daemon to ask. */
export const fleetFlags = {
  fleet: Flags.string({ summary: "Name of the fleet, where several run.", helpValue: "NAME" }),
  socket: Flags.string({ summary: "Socket of the daemon. Also PDCTL_SOCKET.", helpValue: "PATH" }),
};

export const configFlag = Flags.string({
  char: "f",
  summary: "The configuration. Default: ./pdctl.yaml if it is there, else one prefill and one decode on loopback.",
  helpValue: "PATH",
});

export const upFlags = {
  ...fleetFlags,
  file: configFlag,
  foreground: Flags.boolean({ summary: "Stay here: the daemon is this process, and Ctrl-C ends the fleet." }),
  timeout: durationFlag({ summary: "How long the whole start may take.", default: 600_000 }),
  listen: Flags.string({
    summary: "Address of the router, instead of the configuration's; port 0 picks one.",
    helpValue: "HOST:PORT",
  }),
  "dry-run": Flags.boolean({ summary: "Print argv and environment of each process; start nothing." }),
  lifeline: Flags.boolean({ hidden: true, summary: "End when stdin ends." }),
};
