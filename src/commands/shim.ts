import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { Args } from "@oclif/core";
import { BaseCommand } from "../cli/base-command.ts";
import { PdctlError } from "../contract/errors.ts";
import { shimPath } from "../lib/shim.ts";

export default class Shim extends BaseCommand {
  static override summary = "Holds the process of an engine or the router, and does for it what Node cannot.";
  static override description =
    "A small native program, dist/pdctl-shim; the daemon calls it. hold FILE runs what a launch file says until nobody of it is left, keeps its log and its record. relaunch FILE does so again, in the background, as the next generation. signal SIGNAL PID:STARTTICKS... signals exactly these processes. lock locks the open file 3 for whoever else has it open.\n\nExit codes: 0 done, 1 refused or failed, 2 wrong usage.";
  static override examples = [
    "<%= config.bin %> <%= command.id %> relaunch ~/.local/state/pdctl/default/run/decode.launch",
  ];
  static override strict = false;
  static override args = {
    action: Args.string({ required: true, options: ["hold", "relaunch", "signal", "lock"] }),
  };

  async run(): Promise<void> {
    const { argv } = await this.parse(Shim);
    if (!existsSync(shimPath())) {
      throw new PdctlError("native-missing", `The program ${shimPath()} is missing.`, "npm run build:native");
    }
    const { status } = spawnSync(shimPath(), argv as string[], { stdio: "inherit" });
    this.exit(status ?? 1);
  }
}
