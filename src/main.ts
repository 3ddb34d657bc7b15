import { readFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { hearBrokenOutput } from "./cli/broken-output.ts";
import { compileCacheFolder } from "./cli/surroundings.ts";

const compileCache = compileCacheFolder();
if (compileCache !== undefined) enableCompileCache(compileCache);

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
