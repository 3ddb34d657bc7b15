import { readFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { hearBrokenOutput } from "./cli/broken-output.ts";

const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
enableCompileCache(join(cache, "pdctl", "compile"));

// `--version` is answered here: loading oclif takes longer than the answer.
if (process.argv.length === 3 && process.argv[2] === "--version") {
  hearBrokenOutput();
  process.stdout.write(`${version()}\n`);
} else {
  const { runCommand } = await import("./cli/oclif.ts");
  await runCommand(import.meta.url);
}

function version(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(manifest) as { readonly version: string };
  return `pdctl/${version} ${process.platform}-${process.arch} node-${process.version}`;
}
