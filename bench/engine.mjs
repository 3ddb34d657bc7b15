// Rows through the engine's runner beside llama.cpp's library: same library, weights, threads, KV type and
// context, in alternation, by CPU time, which a busy neighbour moves less than the wall clock.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Asked } from "./asked.mjs";
import { buildPrograms } from "./build.mjs";
import { ggmlDir, modelPath } from "./places.mjs";
import { compare } from "./statistics.mjs";

const cases = ["prefill-512", "decode-b1", "decode-b8", "decode-b16"];

export async function bench({ pairs, say }) {
  const dir = buildPrograms();
  const work = mkdtempSync(join(tmpdir(), "pd-bench-"));
  const weights = join(work, "q8_0.gguf");
  requantise(join(dir, "requantise"), weights);
  const ours = new Asked(join(dir, "runner_rows"), [weights]);
  const peer = new Asked(join(dir, "llama_rows"), [weights, ggmlDir()]);
  try {
    const found = [];
    for (const name of cases) found.push(await pairsOf({ name, ours, peer, pairs, say }));
    return found;
  } finally {
    await Promise.all([ours.end(), peer.end()]);
    rmSync(work, { recursive: true, force: true });
  }
}

async function pairsOf({ name, ours, peer, pairs, say }) {
  await ours.ask(name); // the first time pays for graphs and memory
  await peer.ask(name);
  const [mine, theirs] = [[], []];
  for (let pair = 0; pair < pairs; pair += 1) {
    const first = pair % 2 === 0;
    if (first) mine.push(await rate(ours, name));
    theirs.push(await rate(peer, name));
    if (!first) mine.push(await rate(ours, name));
  }
  say(`${name}: ${pairs} pairs`);
  return compare(name, "tok/s per CPU second", mine, theirs);
}

async function rate(program, name) {
  const [tokens, seconds] = (await program.ask(name)).split(" ").map(Number);
  return tokens / seconds;
}

function requantise(program, to) {
  const { status } = spawnSync(program, [modelPath(), to, ggmlDir()], { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`requantising ${modelPath()} to Q8_0 failed`);
}
