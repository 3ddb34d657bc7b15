import { Args } from "@oclif/core";
import { BaseCommand } from "../cli/base-command.ts";
import { type Asking, askOnce, chat, opening, promptOf } from "../cli/conversation.ts";
import { fleetToAsk } from "../cli/fleet-to-ask.ts";
import { runFlags } from "../cli/run-flags.ts";
import { surroundings } from "../cli/surroundings.ts";

export default class Run extends BaseCommand {
  static override summary = "Asks the fleet, and shows how long prefill, transfer and decode took.";
  static override description =
    "Where no fleet runs it starts one of its own, and ends it unless --keep is given. Without a prompt it reads a pipe, or chats on a terminal. A fleet of its own listens on a port that is free, whatever the configuration says.\n\nExit codes: 0 answered, 1 failed, 2 wrong usage or configuration, 3 its processes run without a daemon, 4 not up in time, 5 the fleet is ending, 130 Ctrl-C.";
  static override examples = ['<%= config.bin %> <%= command.id %> "What is the capital of France?" --max-tokens 64'];
  static override args = { prompt: Args.string({ description: "What to ask." }) };
  static override flags = runFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Run);
    const signal = this.interruption();
    const say = (line: string): void => this.say(line);
    const prompt = await promptOf(args.prompt);
    const { url, client, leave } = await fleetToAsk(flags, surroundings(), { signal, say });
    const asking: Asking = {
      url,
      client,
      signal,
      say,
      system: flags.system,
      tokensMax: flags["max-tokens"],
      temperature: flags.temperature,
      write: (text) => process.stdout.write(text),
    };
    try {
      if (prompt === undefined) await chat(asking);
      else await askOnce([...opening(flags.system), { role: "user", content: prompt }], asking);
    } finally {
      await leave();
    }
  }
}
