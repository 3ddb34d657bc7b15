import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./places.mjs";

/** Builds bench/native in a folder of its own, without the addon, and returns where the programs are. */
export function buildPrograms() {
  const dir = "build/bench";
  const { status } = spawnSync(process.execPath, ["scripts/native.mjs", "-DPD_BENCH=ON", "-DPD_ADDON=OFF"], {
    cwd: root,
    env: { ...process.env, PD_BUILD_DIR: dir },
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error("the bench programs were not built");
  return join(root, dir);
}
