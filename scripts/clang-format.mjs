// Checks the layout of every C++ file; --write sets it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { clangTool } from "./clang-tools.mjs";
import { cppFiles } from "./cpp-files.mjs";

const mode = process.argv.includes("--write") ? ["-i"] : ["--dry-run", "--Werror"];
const files = cppFiles(["native", "test/native", "bench/native"].filter((folder) => existsSync(folder)));
const { status } = spawnSync(clangTool("clang-format"), [...mode, ...files], { stdio: "inherit" });
process.exitCode = status ?? 1;
