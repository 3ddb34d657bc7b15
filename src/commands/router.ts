import { BaseCommand } from "../cli/base-command.ts";
import { routerFlags, routerOptions } from "../cli/router-flags.ts";
import { stopRequest } from "../lib/stop-request.ts";

export default class Router extends BaseCommand {
  static override summary = "Runs the embedded router in the foreground.";
  static override description =
    "The fleet starts its router with this command. It serves OpenAI requests, sends each to a prefill and a decode engine at once, and passes on what decode answers. Started without engines it answers 503 until a daemon has told it some. While its daemon restarts engines, requests wait, and those that have sent no byte are sent again once. It ends on SIGTERM and Ctrl-C, after open answers have had --stop-limit.\n\nExit codes: 0 stopped when asked, 1 the port is not usable, 2 wrong usage.";
  static override examples = [
    "<%= config.bin %> <%= command.id %> --prefill p=http://127.0.0.1:8001,127.0.0.1:8998 --decode d=http://127.0.0.1:8002 --secret-file ./secret --listen 127.0.0.1:8000",
  ];
  static override flags = routerFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(Router);
    const options = routerOptions(flags);
    const stop = stopRequest({ lifeline: flags.lifeline });
    const { runRouter } = await import("../router/main.ts");
    await runRouter(options, stop, ({ url }) => this.say(`Router ${options.name} serves at ${url}`));
  }
}
