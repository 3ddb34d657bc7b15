import { readdirSync } from "node:fs";
import { join } from "node:path";

// ESM output of CommonJS packages still asks for these four.
const banner = [
  'import { createRequire as pdCreateRequire } from "node:module";',
  'import { fileURLToPath as pdFileURLToPath } from "node:url";',
  'import { dirname as pdDirname } from "node:path";',
  "const require = pdCreateRequire(import.meta.url);",
  "const __filename = pdFileURLToPath(import.meta.url);",
  "const __dirname = pdDirname(__filename);",
].join("");

/** What esbuild is told: main.js, one entry a command, and the chunks that they share. Nothing is written. */
export function bundleOptions() {
  const commands = readdirSync("src/commands", { recursive: true })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join("src/commands", name));
  return {
    entryPoints: ["src/main.ts", ...commands],
    outbase: "src",
    outdir: "dist",
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    jsx: "automatic",
    // Looked for at run time only: by oclif (with typescript the bundle is ten times as large), and by Ink with DEV set.
    external: ["typescript", "ts-node", "tsx", "react-devtools-core"],
    // Without it oclif takes the checkout for a development tree and searches for TypeScript sources, and React checks
    // every element at three times the time.
    define: { "process.env.NODE_ENV": '"production"' },
    banner: { js: banner },
    legalComments: "none",
    logLevel: "warning",
    write: false,
  };
}
