// What a command costs that asks a running daemon, beside Node doing nothing: bin/pdctl as people and cron run it,
// and `node -e 0` of the same Node, in alternation.
import { spawnSync } from "node:child_process";
import { pdctl } from "../test/e2e/support/environment.ts";
import { Fleet } from "../test/e2e/support/fleet.ts";
import { compareTimes } from "./statistics.mjs";

const cases = [
  { name: "status", args: ["status"] },
  { name: "health", args: ["health"] },
];
// One run is a tenth of a second and its noise nearly as large.
const runsAPair = 3;

export async function bench({ pairs, say }) {
  const fleet = await Fleet.start();
  try {
    return cases.map(({ name, args }) => {
      timed(pdctl, args, fleet.env); // the first run compiles
      const [ours, peer] = [[], []];
      for (let run = 0; run < pairs * runsAPair; run += 1) {
        const first = run % 2 === 0;
        if (first) ours.push(timed(pdctl, args, fleet.env));
        peer.push(timed(process.execPath, ["-e", "0"], fleet.env));
        if (!first) ours.push(timed(pdctl, args, fleet.env));
      }
      say(`${name}: ${ours.length} runs`);
      return compareTimes(`${name}, beside node -e 0`, "ms", ours, peer);
    });
  } finally {
    await fleet.end();
  }
}

function timed(command, args, env) {
  const began = performance.now();
  const { status, stderr } = spawnSync(command, args, { env, stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: exit ${status}\n${stderr}`);
  return performance.now() - began;
}
