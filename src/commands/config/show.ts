import { Flags } from "@oclif/core";
import { stringify } from "yaml";
import { BaseCommand } from "../../cli/base-command.ts";
import { chooseConfig } from "../../cli/choose-config.ts";
import { configFlag } from "../../cli/flags.ts";
import { spelledConfig } from "../../contract/spelled-config.ts";

export default class ConfigShow extends BaseCommand {
  static override summary =
    "Prints the configuration as it counts: the file, the environment over it, the defaults below.";
  static override description = "What it prints is a valid pdctl.yaml.\n\nExit codes: 0 printed, 2 not valid.";
  static override examples = ["<%= config.bin %> <%= command.id %> --file pdctl.yaml --output json"];
  static override flags = {
    file: configFlag,
    output: Flags.option({
      char: "o",
      summary: "How to print it.",
      options: ["yaml", "json"] as const,
      default: "yaml" as const,
    })(),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ConfigShow);
    const { config, from } = chooseConfig({ file: flags.file, fleet: undefined, listen: undefined }, process.env);
    const spelled = spelledConfig(config);
    this.say(`from ${from}`);
    this.print(flags.output === "json" ? JSON.stringify(spelled, null, 2) : stringify(spelled));
  }
}
