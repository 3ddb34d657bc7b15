import { Flags } from "@oclif/core";
import { BaseCommand } from "../cli/base-command.ts";
import { fleetFlags } from "../cli/flags.ts";
import { placesToAsk } from "../cli/fleet-places.ts";
import { surroundings } from "../cli/surroundings.ts";
import { DaemonClient } from "../client/daemon-client.ts";
import { systemClock } from "../lib/clock.ts";
import { firstView } from "../tui/first-view.ts";
import { plainFrame } from "../tui/plain-frame.ts";
import { momentOf } from "../tui/state.ts";

export default class Top extends BaseCommand {
  static override summary =
    "Shows the fleet as it is now and as it changes: engines, edges, queues, live requests, incidents.";
  static override description =
    "Without a terminal on both sides, with TERM=dumb or with --once it prints one frame. Keys: q ends it, ? shows the others. A CI variable in the environment changes nothing.\n\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 no fleet runs, 4 no answer in time, 130 Ctrl-C.";
  static override examples = ["<%= config.bin %> <%= command.id %> --once"];
  static override flags = { ...fleetFlags, once: Flags.boolean({ summary: "Print one frame and end." }) };

  async run(): Promise<void> {
    const { flags } = await this.parse(Top);
    const signal = this.interruption();
    const { env } = surroundings();
    const over = new AbortController();
    const client = new DaemonClient(placesToAsk(flags, surroundings()).socket);
    const views = client.live(AbortSignal.any([signal, over.signal]));
    try {
      const first = await firstView(views, signal);
      if (flags.once || !process.stdout.isTTY || !process.stdin.isTTY || env["TERM"] === "dumb") {
        const columns = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
        this.print(plainFrame(first, momentOf(systemClock), columns));
      } else {
        const { runTop } = await import("../tui/main.tsx");
        await runTop({ first, views, clock: systemClock, signal, colour: !env["NO_COLOR"] });
      }
    } finally {
      over.abort();
    }
  }
}
