import { BaseCommand } from "../cli/base-command.ts";
import { fleetFlags } from "../cli/flags.ts";
import { placesToStart } from "../cli/fleet-places.ts";
import { surroundings } from "../cli/surroundings.ts";
import { systemClock } from "../lib/clock.ts";
import { stopRequest } from "../lib/stop-request.ts";

export default class Watchdog extends BaseCommand {
  static override summary = "Watches the engines and the daemon of a fleet, in the foreground.";
  static override description =
    "The daemon starts it, and starts it again. While the daemon does its work it only tells what it sees, in logs/watchdog.log. It replaces a daemon that is gone or frozen, and as the last resort fails the oldest request or restarts all engines, as far as the policy's act allows. It ends by itself once the fleet is down.\n\nExit codes: 0 ended, 1 failed, 2 wrong usage, 3 no such fleet.";
  static override examples = ["<%= config.bin %> <%= command.id %> --fleet default"];
  static override flags = fleetFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(Watchdog);
    const places = placesToStart(flags.fleet ?? "default", surroundings(), flags.socket);
    const stop = stopRequest({ lifeline: false });
    const { runWatchdog } = await import("../watchdog/main.ts");
    await runWatchdog({ places, clock: systemClock, stop });
  }
}
