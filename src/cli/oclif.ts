import { execute } from "@oclif/core";

/** Runs the command of the command line; `root` is a file URL inside the package. */
export async function runCommand(root: string): Promise<void> {
  await execute({ dir: root });
}
