// Writes docs/errors.md, the list of every error that a user may meet. --check only compares.
import { readFileSync, writeFileSync } from "node:fs";
import { exitCodes } from "../src/cli/exit-codes.ts";
import { errorList } from "../src/contract/errors.ts";

const file = "docs/errors.md";
const rows = Object.entries(errorList).map(
  ([code, { exit, sentence }]) => `| \`${code}\` | ${exitCodes[exit]} | ${sentence} |`,
);
const text = `# Errors

Generated from \`src/contract/errors.ts\` by \`npm run docs\`. Each error also prints what was found and what to try.

| code | exit status | means |
|---|---|---|
${rows.join("\n")}
`;

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (readFileSync(file, "utf8") !== text) {
  console.error(`${file} is not what src/contract/errors.ts says: run 'npm run docs'`);
  process.exitCode = 1;
}
