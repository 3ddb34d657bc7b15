// Writes man/pdctl.1 and one page a command, from the built command classes. --check only compares, and lets
// mandoc read the pages where it is installed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Config } from "@oclif/core";
import { commandPage, overviewPage } from "./man-pages.mjs";

const checks = process.argv.includes("--check");
process.env.NODE_ENV = "production"; // else oclif looks for TypeScript sources
const config = await Config.load({ root: process.cwd() });
const commands = config.commands.filter((command) => !command.hidden).sort((a, b) => (a.id < b.id ? -1 : 1));
const pages = new Map([
  ["pdctl.1", overviewPage(config.pjson, commands)],
  ...commands.map((command) => [`${fileName(command.id)}.1`, commandPage(command, commands)]),
]);

const stale = [...pages].filter(([name, text]) => !existsSync(at(name)) || readFileSync(at(name), "utf8") !== text);
const gone = readdirSync("man").filter((name) => name.endsWith(".1") && !pages.has(name));
if (checks) report();
else write();

function fileName(id) {
  return `pdctl-${id.replaceAll(":", "-")}`;
}

function at(name) {
  return join("man", name);
}

function write() {
  mkdirSync("man", { recursive: true });
  for (const [name, text] of stale) writeFileSync(at(name), text);
  for (const name of gone) rmSync(at(name));
}

function report() {
  for (const [name] of stale) console.error(`man/${name} is not what its command says: run 'npm run docs'`);
  for (const name of gone) console.error(`man/${name} has no command any more: run 'npm run docs'`);
  const files = readdirSync("man").map(at);
  const lint = spawnSync("mandoc", ["-T", "lint", "-W", "error", ...files], { stdio: "inherit" });
  const refused = !lint.error && lint.status !== 0;
  if (stale.length > 0 || gone.length > 0 || refused) process.exitCode = 1;
}
