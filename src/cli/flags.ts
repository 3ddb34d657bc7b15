import { Flags } from "@oclif/core";

/** Flags that many commands share. */
export const outputFlag = Flags.string({
  char: "o",
  summary: "How to print the data.",
  options: ["table", "wide", "json", "yaml"] as const,
  default: "table",
});

export const fleetFlags = {
  fleet: Flags.string({ summary: "Name of the fleet, where several run." }),
  socket: Flags.string({ summary: "Socket of the daemon. Also PDCTL_SOCKET." }),
};

export const configFlag = Flags.string({
  char: "f",
  summary: "The configuration. Default: ./pdctl.yaml if there is one, else one prefill and one decode on loopback.",
});
