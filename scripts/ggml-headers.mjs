// Brings ggml's headers, which no package ships by themselves: from the git bundle inside the pinned npm
// package of the same release as the prebuilt libraries. Checked by SHA-512, cached, not committed.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { basename, join } from "node:path";

const pin = JSON.parse(readFileSync(new URL("../native/ggml.json", import.meta.url), "utf8"));

/** Returns the folder with the headers; the second call is offline. */
export function ggmlHeaders() {
  const home = process.env.HOME || userInfo().homedir;
  const cache = join(process.env.XDG_CACHE_HOME || join(home, ".cache"), "pdctl", "ggml");
  const ready = join(cache, pin.version);
  if (existsSync(ready)) return ready;
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, ".fetch-"));
  try {
    const include = unpack(fetchPackage(work), work);
    if (!existsSync(ready)) renameSync(include, ready); // same file system: the folder appears whole or not at all
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return ready;
}

function fetchPackage(work) {
  const spec = `${pin.package}@${pin.version}`;
  console.error(`pdctl: fetching ${spec} for ggml's headers (35 MB, once)`);
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--prefer-offline", spec], {
    cwd: work,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const file = join(
    work,
    readdirSync(work).find((name) => name.endsWith(".tgz")),
  );
  const found = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
  if (found !== pin.integrity) throw new Error(`${spec}: expected ${pin.integrity}, found ${found}`);
  return file;
}

function unpack(file, work) {
  execFileSync("tar", ["xzf", file, "-C", work, "package/llama/gitRelease.bundle"]);
  const git = (...args) => execFileSync("git", ["-C", work, ...args], { maxBuffer: 1 << 26 });
  git("init", "--quiet", "--bare", "git");
  const bundle = ["--git-dir", "git"];
  git(...bundle, "fetch", "--quiet", "package/llama/gitRelease.bundle", "HEAD");
  const include = join(work, "include");
  mkdirSync(include);
  for (const header of pin.headers)
    writeFileSync(join(include, basename(header)), git(...bundle, "show", `FETCH_HEAD:${header}`));
  return include;
}
