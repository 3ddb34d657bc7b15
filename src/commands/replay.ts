import { Args, Flags } from "@oclif/core";
import { BaseCommand } from "../cli/base-command.ts";
import { readPolicy } from "../cli/replay-policy.ts";

export default class Replay extends BaseCommand {
  static override summary = "Runs the detector and the healer over a recording, and prints what they decide.";
  static override description =
    "One JSON line for the first verdict of each subject, for every change of a verdict or its cause, and for every action that would be planned. Replay never acts: every action counts as done and without effect, so that the whole ladder shows.\n\nExit codes: 0 done, 2 wrong usage, or a recording or policy that cannot be read.";
  static override examples = ["<%= config.bin %> <%= command.id %> wedge.jsonl --policy pdctl.yaml"];
  static override args = { file: Args.string({ description: "The recording, as record writes it.", required: true }) };
  static override flags = {
    policy: Flags.string({
      description: "Judge by the policy of this file (pdctl.yaml, or its policy alone).",
      helpValue: "FILE",
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Replay);
    const policy = flags.policy === undefined ? undefined : readPolicy(flags.policy);
    const { replayFile } = await import("../daemon/replay.ts");
    for await (const line of replayFile(args.file, policy)) this.print(JSON.stringify(line));
  }
}
