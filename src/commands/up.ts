import { BaseCommand } from "../cli/base-command.ts";
import { upFlags } from "../cli/flags.ts";
import { plannedModels } from "../cli/fleet-models.ts";
import { meantFleet, readyToStart } from "../cli/prepare-fleet.ts";
import { shownIfUp } from "../cli/running-fleet.ts";
import { ownProgram, requireForeground } from "../cli/self.ts";
import { stopSignals } from "../cli/stop-signals.ts";
import { surroundings } from "../cli/surroundings.ts";
import { planWords, upWords } from "../cli/up-words.ts";
import { PdctlError } from "../contract/errors.ts";
import { systemClock } from "../lib/clock.ts";

export default class Up extends BaseCommand {
  static override summary = "Starts prefill, decode and the router, and shows the URL to send requests to.";
  static override description =
    "Running it twice is safe: a fleet that is up is only shown. Ctrl-C ends everything; a second one at once.\n\nExit codes: 0 ended when asked, 1 failed, 2 wrong usage or configuration, 4 not up in time, 5 another daemon holds the fleet, 130 Ctrl-C.";
  static override examples = ["<%= config.bin %> <%= command.id %> --foreground --file pdctl.yaml --timeout 10m"];
  static override flags = upFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(Up);
    const around = surroundings();
    const fleet = meantFleet(flags, around);
    const base = { ...fleet, self: ownProgram(), env: process.env, cwd: process.cwd(), clock: systemClock };
    if (flags["dry-run"]) {
      const { planFleet } = await import("../daemon/main.ts");
      this.print(planWords(planFleet({ ...base, modelOf: plannedModels(fleet.config, around) })));
      return;
    }
    requireForeground(flags);
    const signals = stopSignals(flags);
    const say = (line: string): void => this.say(line);
    const onUp = (url: string): void => this.print(upWords(url));
    if (await shownIfUp(fleet, { limitMs: flags.timeout, signal: signals.stop, say, onUp })) return;
    const modelOf = await readyToStart(fleet, around, { signal: signals.stop, say });
    const { runFleet } = await import("../daemon/main.ts");
    await runFleet({ ...base, ...signals, modelOf, timeoutMs: flags.timeout, say, onUp });
    if (signals.wasInterrupted()) throw new PdctlError("interrupted", "Interrupted.", "");
  }
}
