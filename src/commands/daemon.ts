import { Flags } from "@oclif/core";
import { BaseCommand } from "../cli/base-command.ts";
import { daemonFleet } from "../cli/daemon-fleet.ts";
import { configFlag, fleetFlags } from "../cli/flags.ts";
import { durationFlag } from "../cli/process-flags.ts";
import { stopSignals } from "../cli/stop-signals.ts";
import { surroundings } from "../cli/surroundings.ts";
import { PdctlError } from "../contract/errors.ts";
import { systemClock } from "../lib/clock.ts";

export default class Daemon extends BaseCommand {
  static override summary = "Runs the daemon of a fleet in the foreground, for a service manager.";
  static override description =
    "Without --file it runs the fleet that was last started under that name. On SIGTERM and Ctrl-C it ends and leaves engines, router and watchdog running: the fleet is still wanted up, so a service manager or the watchdog starts the next daemon, which takes them over. pdctl down ends everything.\n\nExit codes: 0 ended when asked, 1 failed, 2 wrong usage or configuration, 4 not up in time, 5 another process holds the fleet, 130 Ctrl-C.";
  static override examples = ["<%= config.bin %> <%= command.id %> --fleet default"];
  static override flags = {
    ...fleetFlags,
    file: configFlag,
    timeout: durationFlag({ summary: "How long the whole start may take.", default: 600_000 }),
    lifeline: Flags.boolean({ hidden: true, summary: "End with the fleet when stdin ends." }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Daemon);
    const signals = stopSignals(flags);
    const { say } = this;
    const fleet = await daemonFleet(flags, surroundings(), { limitMs: flags.timeout, signal: signals.stop, say });
    const { runDaemon } = await import("../daemon/main.ts");
    const onStop = flags.lifeline ? "down" : "leave";
    const onUp = (url: string): void => this.say(`fleet      ${fleet.places.fleet} serves at ${url}`);
    await runDaemon({ ...fleet, clock: systemClock, signals, onStop, say, onUp });
    if (signals.wasInterrupted()) throw new PdctlError("interrupted", "Interrupted.", "");
  }
}
