// What watching costs at rest: daemon and watchdog beside 2 and 16 native engines, looked at once a second. The 16 run
// a model of one layer, so that they fit beside each other on a small machine: they are asked as all others are.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Fleet } from "../test/e2e/support/fleet.ts";
import { writeTinyGguf } from "../test/unit/engine/support/tiny-gguf.ts";
import { cpuSeconds, pssMb } from "./process-load.mjs";
import { against } from "./statistics.mjs";

// What we allow ourselves, of one core and of a machine that also holds models.
const cases = [
  { name: "2 engines", start: startPair, cpuBudget: 3, memoryBudget: 250 },
  { name: "16 engines (8 × 8, tiny model)", start: startMany, cpuBudget: 10, memoryBudget: 300 },
];
const windowMs = 5_000;
const settleMs = 15_000;

export async function bench({ pairs, say }) {
  const found = [];
  for (const one of cases) found.push(...(await watched(one, { pairs, say })));
  return found;
}

async function watched({ name, start, cpuBudget, memoryBudget }, { pairs, say }) {
  const fleet = await start();
  try {
    await sleep(settleMs); // what the start has used is no rest
    const { daemon, watchdog } = await fleet.view();
    if (watchdog === undefined) throw new Error("no watchdog is seen");
    const [cpu, memory] = [[], []];
    for (let window = 0; window < pairs; window += 1) {
      const shares = await sharesOf([daemon.pid, watchdog.pid]);
      const held = [pssMb(daemon.pid), pssMb(watchdog.pid)];
      say(
        `${name}: daemon ${shares[0].toFixed(1)} % and ${held[0].toFixed(0)} MB, watchdog ${shares[1].toFixed(1)} % and ${held[1].toFixed(0)} MB`,
      );
      cpu.push(sum(shares));
      memory.push(sum(held));
    }
    return [
      against(`${name}: daemon and watchdog`, "% of a core", cpu, cpuBudget),
      against(`${name}: daemon and watchdog`, "MB of PSS", memory, memoryBudget),
    ];
  } finally {
    await fleet.end();
  }
}

async function sharesOf(pids) {
  const before = pids.map(cpuSeconds);
  const began = performance.now();
  await sleep(windowMs);
  const seconds = (performance.now() - began) / 1_000;
  return pids.map((pid, index) => (100 * (cpuSeconds(pid) - before[index])) / seconds);
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

async function startPair() {
  return await Fleet.start({ config: ["policy: {poll: 1s}"] });
}

async function startMany() {
  const fleet = await Fleet.prepare();
  const model = join(fleet.home, "tiny.gguf");
  writeTinyGguf(model);
  const engine = (role) => `  - {name: ${role}, role: ${role}, driver: native, count: 8, pool: 16MiB}`;
  const lines = ["fleet: demo", `model: ${model}`, "engines:", engine("prefill"), engine("decode")];
  lines.push("router: {driver: embedded, listen: 127.0.0.1:0}", "metrics: {listen: 127.0.0.1:0}");
  lines.push("canary: {every: off}", "policy: {poll: 1s}", "");
  writeFileSync(fleet.file, lines.join("\n"), { mode: 0o600 });
  const { code, stderr } = await fleet.cli(["up", "-f", fleet.file], 300_000);
  if (code === 0) return fleet;
  const said = fleet.said();
  await fleet.end();
  throw new Error(`pdctl up ended with ${code}\n${stderr}\n${said}`);
}
