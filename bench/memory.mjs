// The default fleet at rest: the sum of what its processes hold (PSS: shared pages count once).
import { setTimeout as sleep } from "node:timers/promises";
import { complete } from "../test/e2e/support/completions.ts";
import { Fleet } from "../test/e2e/support/fleet.ts";
import { processesOf } from "../test/e2e/support/processes.ts";
import { pssMb } from "./process-load.mjs";
import { against } from "./statistics.mjs";

const budgetMb = 1200;
const samples = 5;

export async function bench({ say }) {
  const fleet = await Fleet.start();
  try {
    const answer = await complete(fleet.url, { prompt: "The capital of France is", max_tokens: 8 });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
    const sums = [];
    for (let sample = 0; sample < samples; sample += 1) {
      await sleep(2_000); // at rest: buffers of the start are given back
      sums.push(processesOf(fleet.home).reduce((sum, { pid }) => sum + pssMb(pid), 0));
    }
    for (const { pid, command } of processesOf(fleet.home)) say(`${pssMb(pid).toFixed(0)} MB  ${nameOf(command)}`);
    return [against("default fleet at rest", "MB of PSS", sums, budgetMb)];
  } finally {
    await fleet.end();
  }
}

/** "engine prefill" of "node …/main.js engine --name prefill …". */
function nameOf(command) {
  const words = command.trim().split(" ");
  const at = words.findIndex((word) => word.endsWith("main.js"));
  const name = words[words.indexOf("--name") + 1];
  return words.includes("--name") ? `${words[at + 1]} ${name}` : (words[at + 1] ?? command);
}
