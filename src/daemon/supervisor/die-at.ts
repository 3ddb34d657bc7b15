import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type DeathSetting = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly state: string;
};

/** For tests of what comes after a crash: PDCTL_TEST_DIE_AT=co-restart:4 kills this process once, at that step. */
export function dieAt({ env, state }: DeathSetting, action: string, step: number): void {
  const mark = join(state, "died");
  if (env["PDCTL_TEST_LIMITS"] !== "1" || env["PDCTL_TEST_DIE_AT"] !== `${action}:${step}` || existsSync(mark)) return;
  writeFileSync(mark, `${action}:${step}\n`);
  process.kill(process.pid, "SIGKILL");
}
