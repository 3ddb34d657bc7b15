import { BaseCommand } from "../../cli/base-command.ts";
import { tableOutputFlag } from "../../cli/flags.ts";
import { listModels } from "../../cli/models.ts";
import { formatted } from "../../cli/output.ts";
import { shownBytes } from "../../cli/quantities.ts";
import { surroundings } from "../../cli/surroundings.ts";
import { table } from "../../cli/table.ts";

export default class ModelList extends BaseCommand {
  static override summary = "Lists the models that pdctl can fetch, and which of them are cached.";
  static override description =
    "Any GGUF file of the llama architecture works, too.\n\nExit codes: 0 listed, 2 wrong usage.";
  static override examples = ["<%= config.bin %> <%= command.id %> --output json"];
  static override flags = { output: tableOutputFlag };

  async run(): Promise<void> {
    const { flags } = await this.parse(ModelList);
    const models = await listModels(surroundings());
    const rows = models.map(({ name, bytes, license, cached, path }) => [
      name,
      shownBytes(bytes),
      license,
      cached ? "yes" : "no",
      path,
    ]);
    this.print(formatted(models, flags.output, () => table(["NAME", "SIZE", "LICENSE", "CACHED", "PATH"], rows)));
  }
}
