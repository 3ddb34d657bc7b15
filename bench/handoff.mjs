// What is left of the KV transfer when prefill has finished, for a prompt of 2,048 tokens over shared memory:
// the time from the end of prefill to decode's commit, by the records of both engines.
import { Pair } from "../test/e2e/support/pair.ts";
import { against } from "./statistics.mjs";

const promptTokens = 2048;
const budgetMs = 5;
const budgetShare = 1; // per cent of the time to first token

export async function bench({ pairs, say }) {
  const pair = await Pair.start();
  try {
    await once(pair, 0); // graphs, pages and connections
    const [left, share] = [[], []];
    for (let run = 1; run <= pairs; run += 1) {
      const { leftMs, firstTokenMs } = await once(pair, run);
      left.push(leftMs);
      share.push((100 * leftMs) / firstTokenMs);
      say(`run ${run}: ${leftMs.toFixed(2)} ms left, first token after ${firstTokenMs.toFixed(0)} ms`);
    }
    return [
      against(`left after prefill of ${promptTokens}`, "ms", left, budgetMs),
      against("the same, of time to first token", "%", share, budgetShare),
    ];
  } finally {
    await pair.end();
  }
}

async function once(pair, run) {
  const prompt = Array.from({ length: promptTokens }, (_, index) => 1000 + ((index * 37 + run * 101) % 40_000));
  const body = JSON.stringify({ model: "any", prompt, max_tokens: 2, temperature: 0, stream: true, ignore_eos: true });
  const began = performance.now();
  const response = await fetch(`${pair.url}/v1/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    signal: AbortSignal.timeout(120_000),
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const reader = response.body.getReader();
  await reader.read(); // the first event is the first token
  const firstTokenMs = performance.now() - began;
  while (!(await reader.read()).done);
  const [sent] = await newest(pair.prefill);
  const [received] = await newest(pair.decode);
  if (sent.room !== received.room) throw new Error(`records of two requests: ${sent.room} and ${received.room}`);
  return { leftMs: received.transferEndedUnixMs - sent.prefillEndedUnixMs, firstTokenMs };
}

async function newest(engine) {
  return (await engine.admin.records()).sort((a, b) => b.arrivedUnixMs - a.arrivedUnixMs);
}
