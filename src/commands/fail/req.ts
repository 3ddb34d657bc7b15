import { actionFlags, whyFlag, yesFlag } from "../../cli/action-flags.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { outcomeOf, outcomeWords } from "../../cli/carry-out.ts";
import { confirm } from "../../cli/confirm.ts";
import { daemonToAsk } from "../../cli/daemon-to-ask.ts";
import { fleetArgs } from "../../cli/fleet-hint.ts";
import { formatted } from "../../cli/output.ts";
import { requestArg } from "../../cli/request-arg.ts";

export default class FailReq extends BaseCommand {
  static override summary = "Force-fails one request on every process, and shows what was released where.";
  static override description =
    "Its client gets an error that carries the reason. A request that has ended stays as it is.\n\nExit codes: 0 it has ended, 1 unknown request or not failed, 2 wrong usage, or no --yes without a terminal, 3 no fleet runs, 4 no outcome in time, 5 refused.";
  static override examples = ['<%= config.bin %> <%= command.id %> 4f0c --why "no bytes for a minute" --yes'];
  static override args = { id: requestArg({ required: true }) };
  static override flags = {
    ...actionFlags,
    why: whyFlag({ summary: "Why; its client reads it, too.", required: true }),
    yes: yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FailReq);
    const signal = this.interruption();
    const client = daemonToAsk(flags);
    const { request } = await client.request(args.id, signal);
    const what = `Request ${request.id} (${request.stage}) fails on every process.`;
    const sameAs = ["pdctl", "fail", "req", request.id, "--why", flags.why, "--yes", ...fleetArgs(flags)];
    if (!(await confirm({ what, sameAs, yes: flags.yes, signal }))) return this.exit(1);
    const { action } = await client.failRequest(request.id, { why: flags.why }, signal);
    const outcome = await outcomeOf(client, action, { limitMs: flags.timeout, signal, say: this.say });
    this.print(formatted(outcome, flags.output, () => outcomeWords(outcome)));
  }
}
