// Names and function lengths of native/ by clang-tidy, as .clang-tidy says. What was clean and has not changed
// since is not read again.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { clangTool } from "./clang-tools.mjs";
import { cppFiles } from "./cpp-files.mjs";
import { ggmlHeaders } from "./ggml-headers.mjs";

// A folder of its own, configured but never built: it needs the command line of each single file.
const dir = "build/tidy";
execFileSync("cmake", ["-S", "native", "-B", dir, "-DPD_UNITY=OFF", `-DPD_GGML_HEADERS=${ggmlHeaders()}`], {
  stdio: ["ignore", "ignore", "inherit"],
});
const tool = clangTool("clang-tidy");
const stamps = join("build", "clang-tidy");
mkdirSync(stamps, { recursive: true });
const shared = hash([tool, ".clang-tidy", ...cppFiles(["native"], /\.h$/)]);
const files = cppFiles(["native"], /\.cpp$/);

await Promise.all(Array.from({ length: availableParallelism() }, worker));

async function worker() {
  for (let file = files.shift(); file; file = files.shift()) {
    const stamp = join(stamps, hash([file], shared));
    if (existsSync(stamp)) continue;
    if (await clean(file)) writeFileSync(stamp, file);
    else process.exitCode = 1;
  }
}

function hash(paths, start = "") {
  const sum = createHash("sha256").update(start);
  for (const path of paths) sum.update(path).update(readFileSync(path));
  return sum.digest("hex");
}

// clang-tidy also counts what it suppressed in system headers: only what it found here is shown.
function clean(file) {
  const child = spawn(tool, ["--quiet", "-p", dir, file], { stdio: ["ignore", "pipe", "ignore"] });
  let found = "";
  child.stdout.on("data", (text) => {
    found += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code !== 0) console.error(found || `${file}: clang-tidy ended with ${code}`);
      resolve(code === 0);
    });
  });
}
