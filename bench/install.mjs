// Fresh clone to the first word of an answer, as the README's first line does it: cold (no cache of npm, pip,
// headers or model) and warm (the caches of the cold run).
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./places.mjs";

export async function bench({ say }) {
  const work = mkdtempSync(join(tmpdir(), "pd-install-"));
  try {
    const found = [];
    for (const name of ["cold", "warm"]) {
      const { installS, answerS } = await cloneToAnswer(work, name);
      say(`${name}: npm ci ${installS.toFixed(1)} s, then first token after ${answerS.toFixed(1)} s`);
      found.push({ case: `${name}: clone to first token`, ours: installS + answerS, unit: "s", runs: 1 });
    }
    return found;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function cloneToAnswer(work, name) {
  const clone = join(work, name);
  const began = performance.now();
  run("git", ["clone", "--quiet", root, clone], { cwd: work, env: process.env });
  const env = environment(work);
  run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: clone, env });
  const installed = performance.now();
  const answered = await firstWord(join(clone, "bin/pdctl"), {
    cwd: clone,
    env: { ...env, PDCTL_HOME: join(work, `h-${name}`) },
  });
  return { installS: (installed - began) / 1000, answerS: (answered - installed) / 1000 };
}

function environment(work) {
  const caches = {
    npm_config_cache: join(work, "npm"),
    XDG_CACHE_HOME: join(work, "cache"),
    PIP_CACHE_DIR: join(work, "pip"),
  };
  for (const dir of Object.values(caches)) mkdirSync(dir, { recursive: true });
  const kept = Object.entries(process.env).filter(([key]) => !/^(npm_|PDCTL_|PD_|NODE_)/.test(key));
  const path = (process.env.PATH ?? "").split(":").filter((dir) => !dir.includes("node_modules"));
  return { ...Object.fromEntries(kept), PATH: path.join(":"), ...caches };
}

function run(command, args, options) {
  const { status } = spawnSync(command, args, { ...options, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: exit ${status}`);
}

async function firstWord(pdctl, options) {
  const child = spawn(pdctl, ["run", "What is the capital of France?"], {
    ...options,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let first;
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part) => {
    first ??= performance.now();
    text += part;
  });
  const [code] = await once(child, "exit");
  if (code !== 0 || !text.includes("Paris")) throw new Error(`the first answer: exit ${code}, "${text}"`);
  return first;
}
