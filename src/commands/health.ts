import { askHealth } from "../cli/ask-health.ts";
import { BaseCommand } from "../cli/base-command.ts";
import { healthFlags } from "../cli/health-flags.ts";
import { healthWords } from "../cli/health-words.ts";

export default class Health extends BaseCommand {
  static override summary = "Evaluates the fleet once, for cron, systemd, Nagios and Kubernetes.";
  static override description =
    "It names what is wrong, and the requests that are stuck. As a readiness check use --fail-on critical; it is never a liveness check of an engine.\n\nExit codes: 0 OK, 1 WARNING (also while starting), 2 CRITICAL, 3 UNKNOWN (also where no daemon answers in time, its data are old, or the command line is wrong).";
  static override examples = ["<%= config.bin %> <%= command.id %> --output nagios --max-age 15s --timeout 5s"];
  static override flags = healthFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(Health);
    const rule = { failOn: flags["fail-on"], unknownAs: flags["unknown-as"], maxAgeMs: flags["max-age"] };
    const result = await askHealth(flags, rule, this.interruption());
    this.print(healthWords(result, flags.output));
    this.exit(result.exit);
  }
}
