// Configures and builds native/ with CMake. --test also builds and runs the C++ tests, --strict makes every
// warning an error. PD_BUILD_DIR: another build folder. Arguments that begin with -D go to CMake.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { ggmlHeaders } from "./ggml-headers.mjs";

const test = process.argv.includes("--test");
const strict = process.argv.includes("--strict") || Boolean(process.env.CI);
const defines = process.argv.slice(2).filter((argument) => argument.startsWith("-D"));
const dir = process.env.PD_BUILD_DIR ?? "build/native";
const jobs = String(availableParallelism());

checkTools();
run("cmake", ["-S", "native", "-B", dir, ...generator(), ...options(), ...defines]);
run("cmake", ["--build", dir, "--parallel", jobs]);
if (test) run("ctest", ["--test-dir", dir, "--output-on-failure"]);

function checkTools() {
  for (const tool of ["cmake", "git", "tar"]) {
    if (!has(tool)) fail(`'${tool}' is missing. On Debian: apt-get install ${tool}`);
  }
  const compilers = process.env.CXX ? [process.env.CXX] : ["c++", "g++", "clang++"];
  if (!compilers.some(has)) fail(`no C++ compiler was found (${compilers.join(", ")}). On Debian: apt-get install g++`);
  if (!has("ninja") && !has("make")) fail("neither 'ninja' nor 'make' was found. On Debian: apt-get install make");
}

// An existing build folder keeps the generator it began with.
function generator() {
  return existsSync(`${dir}/CMakeCache.txt`) || !has("ninja") ? [] : ["-G", "Ninja"];
}

function options() {
  return [
    "-DCMAKE_BUILD_TYPE=Release",
    `-DPD_GGML_HEADERS=${ggmlHeaders()}`,
    `-DPD_TESTS=${test ? "ON" : "OFF"}`,
    ...(strict ? ["-DCMAKE_COMPILE_WARNING_AS_ERROR=ON"] : []),
  ];
}

function has(tool) {
  return spawnSync(tool, ["--version"], { stdio: "ignore" }).status === 0;
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

function fail(words) {
  console.error(`pdctl: ${words}`);
  process.exit(1);
}
