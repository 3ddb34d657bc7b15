import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Places } from "./places.ts";

/** Where one process keeps what a later daemon finds it by. */
export type RunFiles = {
  readonly name: string;
  readonly run: string;
  readonly launch: string;
  readonly record: string;
  readonly members: string;
  readonly log: string;
};

export function runFiles({ run, logs }: Pick<Places, "run" | "logs">, name: string): RunFiles {
  return {
    name,
    run,
    launch: join(run, `${name}.launch`),
    record: join(run, `${name}.json`),
    members: join(run, `${name}.members.json`),
    log: join(logs, `${name}.log`),
  };
}

/** Takes away what names the run, once it is proven that nobody of it is left. */
export function forgetRun({ record, members }: RunFiles): void {
  for (const file of [record, members]) rmSync(file, { force: true });
}
