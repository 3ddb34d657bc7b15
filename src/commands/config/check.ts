import { BaseCommand } from "../../cli/base-command.ts";
import { chooseConfig } from "../../cli/choose-config.ts";
import { configFlag } from "../../cli/flags.ts";
import { idleKeysWords } from "../../cli/idle-keys.ts";

export default class ConfigCheck extends BaseCommand {
  static override summary = "Checks the configuration; every mistake is named with its line.";
  static override description = "Exit codes: 0 valid, 2 not valid.";
  static override examples = ["<%= config.bin %> <%= command.id %> --file pdctl.yaml"];
  static override flags = { file: configFlag };

  async run(): Promise<void> {
    const { flags } = await this.parse(ConfigCheck);
    const { keys, from } = chooseConfig({ file: flags.file, fleet: undefined, listen: undefined }, process.env);
    for (const line of idleKeysWords(keys)) this.say(line);
    this.say(`valid: ${from}`);
  }
}
