// Configures and builds native/ with CMake. --test also builds and runs the C++ tests.
// PD_BUILD_DIR: another build folder. Further arguments that begin with -D go to CMake.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { ggmlHeaders } from "./ggml-headers.mjs";

const test = process.argv.includes("--test");
const defines = process.argv.slice(2).filter((argument) => argument.startsWith("-D"));
const dir = process.env.PD_BUILD_DIR ?? "build/native";
const debianPackage = { cmake: "cmake", ctest: "cmake", "g++": "g++", git: "git", tar: "tar" };

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: "inherit" });
  if (error?.code === "ENOENT")
    fail(`'${command}' is missing. On Debian: apt-get install ${debianPackage[command] ?? command}`);
  if (status !== 0) process.exit(status ?? 1);
}

function has(command) {
  return spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;
}

function fail(words) {
  console.error(`pdctl: ${words}`);
  process.exit(1);
}

for (const command of ["cmake", "git", "tar"])
  if (!has(command)) fail(`'${command}' is missing. On Debian: apt-get install ${debianPackage[command]}`);
if (!process.env.CXX && !["c++", "g++", "clang++"].some(has))
  fail("no C++ compiler was found. On Debian: apt-get install g++");

const generator = existsSync(`${dir}/CMakeCache.txt`) || !has("ninja") ? [] : ["-G", "Ninja"];
run("cmake", [
  "-S",
  "native",
  "-B",
  dir,
  ...generator,
  "-DCMAKE_BUILD_TYPE=Release",
  `-DPD_GGML_HEADERS=${ggmlHeaders()}`,
  `-DPD_TESTS=${test ? "ON" : "OFF"}`,
  ...defines,
]);
run("cmake", ["--build", dir, "--parallel"]);
if (test) run("ctest", ["--test-dir", dir, "--output-on-failure"]);
