// Bundles src/ into dist/ with esbuild: main.js, one entry a command, the chunks that they share,
// and oclif.manifest.json, which spares oclif from loading every command to learn its flags.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { Config } from "@oclif/core";
import { build } from "esbuild";
import { bundleOptions } from "./bundle-options.mjs";

const options = bundleOptions();
const { outputFiles } = await build(options);

for (const file of outputFiles) {
  mkdirSync(dirname(file.path), { recursive: true });
  writeFileSync(file.path, file.contents);
}

// What an earlier build left (a removed command, an old chunk) goes; the addon beside it stays.
const written = new Set(outputFiles.map((file) => relative(process.cwd(), file.path)));
for (const name of readdirSync(options.outdir, { recursive: true })) {
  const path = join(options.outdir, name);
  if (path.endsWith(".js") && !written.has(path)) rmSync(path);
}

process.env.NODE_ENV = "production"; // else oclif looks for TypeScript sources
const manifest = "oclif.manifest.json";
rmSync(manifest, { force: true }); // else it is believed
const [plugin] = (await Config.load({ root: process.cwd() })).plugins.values();
writeFileSync(manifest, JSON.stringify(plugin.manifest));
