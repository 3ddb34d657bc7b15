// Bundles src/ into dist/ with esbuild: main.js, one entry a command, the chunks that they share,
// and oclif.manifest.json, which spares oclif from loading every command to learn its flags.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { Config } from "@oclif/core";
import { build } from "esbuild";

const dist = "dist";
const commands = readdirSync("src/commands", { recursive: true })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => join("src/commands", name));

// ESM output of CommonJS packages still asks for these four.
const banner = [
  'import { createRequire as pdCreateRequire } from "node:module";',
  'import { fileURLToPath as pdFileURLToPath } from "node:url";',
  'import { dirname as pdDirname } from "node:path";',
  "const require = pdCreateRequire(import.meta.url);",
  "const __filename = pdFileURLToPath(import.meta.url);",
  "const __dirname = pdDirname(__filename);",
].join("");

const { outputFiles } = await build({
  entryPoints: ["src/main.ts", ...commands],
  outbase: "src",
  outdir: dist,
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22",
  // oclif looks for them at run time only; with typescript the bundle is ten times as large.
  external: ["typescript", "ts-node", "tsx"],
  // Without it oclif takes the checkout for a development tree and searches for TypeScript sources.
  define: { "process.env.NODE_ENV": '"production"' },
  banner: { js: banner },
  legalComments: "none",
  logLevel: "warning",
  write: false,
});

for (const file of outputFiles) {
  mkdirSync(dirname(file.path), { recursive: true });
  writeFileSync(file.path, file.contents);
}

// What an earlier build left (a removed command, an old chunk) goes; the addon beside it stays.
const written = new Set(outputFiles.map((file) => relative(process.cwd(), file.path)));
for (const name of readdirSync(dist, { recursive: true })) {
  const path = join(dist, name);
  if (path.endsWith(".js") && !written.has(path)) rmSync(path);
}

process.env.NODE_ENV = "production"; // else oclif looks for TypeScript sources
const manifest = "oclif.manifest.json";
rmSync(manifest, { force: true }); // else it is believed
const [plugin] = (await Config.load({ root: process.cwd() })).plugins.values();
writeFileSync(manifest, JSON.stringify(plugin.manifest));
