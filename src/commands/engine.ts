import { BaseCommand } from "../cli/base-command.ts";
import { engineFlags, engineOptions } from "../cli/engine-flags.ts";
import { stopRequest } from "../lib/stop-request.ts";

export default class Engine extends BaseCommand {
  static override summary = "Runs one native engine in the foreground.";
  static override description =
    "The fleet starts its engines with this command. By itself it serves OpenAI requests with --role both. It ends on SIGTERM and Ctrl-C, after running answers have had --stop-limit.\n\nExit codes: 0 stopped when asked, 1 the model, a port or a library is not usable, 2 wrong usage.";
  static override examples = [
    "<%= config.bin %> <%= command.id %> --role both --model ./model.gguf --listen 127.0.0.1:8000",
  ];
  static override flags = engineFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(Engine);
    const options = engineOptions(flags);
    const stop = stopRequest({ lifeline: flags.lifeline });
    const { runEngine } = await import("../engine/main.ts");
    await runEngine(options, stop, ({ url }) => this.say(`Engine ${options.name} serves at ${url}`));
  }
}
