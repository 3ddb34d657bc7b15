import { BaseCommand } from "../../cli/base-command.ts";
import { configJsonSchema } from "../../contract/config.ts";

export default class ConfigSchema extends BaseCommand {
  static override summary = "Prints the JSON Schema of pdctl.yaml, for editors.";
  static override description = "Exit codes: 0 printed, 2 wrong usage.";
  static override examples = ["<%= config.bin %> <%= command.id %> > pdctl.schema.json"];

  async run(): Promise<void> {
    await this.parse(ConfigSchema);
    this.print(JSON.stringify(configJsonSchema(), null, 2));
  }
}
