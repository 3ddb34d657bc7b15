import { Args, Flags } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { configTemplate } from "../../cli/config-template.ts";
import { writeNewFile } from "../../cli/new-file.ts";

export default class ConfigInit extends BaseCommand {
  static override summary = "Writes a commented pdctl.yaml with the usual values, to be edited.";
  static override description =
    "A file that is there is left alone unless --force is given.\n\nExit codes: 0 written, 2 wrong usage, or the file is there or cannot be written.";
  static override examples = [
    "<%= config.bin %> <%= command.id %> pdctl.yaml",
    "<%= config.bin %> <%= command.id %> --print",
  ];
  static override args = { file: Args.string({ description: "Where to write it.", default: "pdctl.yaml" }) };
  static override flags = {
    force: Flags.boolean({ summary: "Write over a file that is there." }),
    print: Flags.boolean({ summary: "Print it to stdout instead." }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigInit);
    if (flags.print) {
      this.print(configTemplate);
      return;
    }
    writeNewFile(args.file, configTemplate, flags);
    this.say(`written    ${args.file}; pdctl up --file ${args.file} runs it`);
  }
}
