import { BaseCommand } from "../cli/base-command.ts";
import { upFlags } from "../cli/flags.ts";
import { plannedModels } from "../cli/fleet-models.ts";
import { foregroundFleet } from "../cli/foreground-fleet.ts";
import { meantFleet } from "../cli/prepare-fleet.ts";
import { urlOf } from "../cli/running-fleet.ts";
import { ownProgram } from "../cli/self.ts";
import { startFleet } from "../cli/start-fleet.ts";
import { stopSignals } from "../cli/stop-signals.ts";
import { surroundings } from "../cli/surroundings.ts";
import { planWords, upWords } from "../cli/up-words.ts";

export default class Up extends BaseCommand {
  static override summary = "Starts the daemon with prefill, decode and the router, and shows the URL for requests.";
  static override description =
    "It returns once a request has gone router, prefill, transfer, decode. Running it twice is safe: a fleet that is up is only shown, one that is starting is waited for. With --foreground the daemon stays here, and Ctrl-C ends everything.\n\nExit codes: 0 it serves, 1 failed, 2 wrong usage or configuration, 4 not up in time, 5 the fleet is ending or another daemon holds it, 130 Ctrl-C.";
  static override examples = ["<%= config.bin %> <%= command.id %> --file pdctl.yaml --timeout 10m"];
  static override flags = upFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(Up);
    const around = surroundings();
    const meant = meantFleet(flags, around);
    const { say } = this;
    if (flags["dry-run"]) {
      const { planFleet } = await import("../daemon/main.ts");
      const ground = { self: ownProgram(), env: process.env, cwd: process.cwd() };
      this.print(planWords(planFleet({ ...meant, ...ground, modelOf: plannedModels(meant.config, around) })));
    } else if (flags.foreground) {
      const { runDaemon } = await import("../daemon/main.ts");
      const signals = stopSignals({ lifeline: false });
      const onUp = (url: string): void => this.print(upWords(url));
      await foregroundFleet(meant, around, { limitMs: flags.timeout, signals, say, onUp, runDaemon });
    } else {
      const starting = { limitMs: flags.timeout, signal: this.interruption(), say, lifeline: false };
      const { view } = await startFleet(meant, around, starting);
      this.print(upWords(urlOf(view)));
    }
  }
}
