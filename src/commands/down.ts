import { Flags } from "@oclif/core";
import { BaseCommand } from "../cli/base-command.ts";
import { endFleet } from "../cli/end-fleet.ts";
import { fleetFlags } from "../cli/flags.ts";
import { placesToAsk } from "../cli/fleet-places.ts";
import { durationFlag } from "../cli/process-flags.ts";
import { surroundings } from "../cli/surroundings.ts";

export default class Down extends BaseCommand {
  static override summary = "Drains and stops the fleet, and proves that no process of it is left.";
  static override description =
    "A fleet that does not run is fine: the second time it exits 0, too.\n\nExit codes: 0 nothing is left, 1 something has not ended, 2 wrong usage, 4 not ended in time.";
  static override examples = ["<%= config.bin %> <%= command.id %> --drain 30s"];
  static override flags = {
    ...fleetFlags,
    drain: durationFlag({ summary: "How long open requests may go on.", default: 30_000 }),
    now: Flags.boolean({ summary: "Wait for nothing: open requests break off." }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Down);
    const places = placesToAsk(flags, surroundings());
    await endFleet(places, {
      drainMs: flags.now ? 0 : flags.drain,
      now: flags.now,
      signal: this.interruption(),
      say: (line) => this.say(line),
    });
  }
}
