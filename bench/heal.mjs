// How long healing takes, a cause a row: from the first evidence to the verdict, and to health, as the incident tells
// it. Real fleets, broken on purpose, under a policy shorter than any that people run.
import { setTimeout as sleep } from "node:timers/promises";
import { DaemonClient } from "../src/client/daemon-client.ts";
import { systemClock } from "../src/lib/clock.ts";
import { complete } from "../test/e2e/support/completions.ts";
import { Fleet } from "../test/e2e/support/fleet.ts";
import { until } from "../test/e2e/support/until.ts";
import { against } from "./statistics.mjs";

const policy = { pollS: 0.3, suspectS: 2, wedgeS: 4 };
const seconds = ({ pollS, suspectS, wedgeS }) => `poll: ${pollS * 1_000}ms, suspect: ${suspectS}s, wedge: ${wedgeS}s`;
// A verdict by then: the policy, and three looks.
const wedgeSeenS = policy.wedgeS + 3 * policy.pollS;
const settleS = 5;
const startS = 10;

const cases = [
  { name: "transfer-stall, by fail", cause: "transfer-stall", hurt: pin, seenS: wedgeSeenS, healS: settleS },
  {
    name: "transfer-stall, by co-restart",
    cause: "transfer-stall",
    act: "[co-restart]",
    hurt: pin,
    seenS: wedgeSeenS,
    healS: settleS + 2 * startS,
  },
  { name: "loop-hang of decode", cause: "loop-hang", hurt: freeze, seenS: wedgeSeenS, healS: settleS + startS },
  { name: "exit of decode", cause: "exited", hurt: kill, seenS: 3 * policy.pollS, healS: startS },
];
const runsMax = 3;
const limitMs = 120_000;

export async function bench({ pairs, say }) {
  const found = [];
  for (const one of cases) found.push(...(await healed(one, { runs: Math.min(pairs, runsMax), say })));
  return found;
}

async function healed({ name, cause, act, hurt, seenS, healS }, { runs, say }) {
  const [seen, well] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    // A fleet of its own: budgets and settle times of the run before would be measured, too.
    const { verdictS, healS: tookS } = await once({ cause, act, hurt });
    say(`${name}: verdict after ${verdictS.toFixed(1)} s, healed after ${tookS.toFixed(1)} s`);
    seen.push(verdictS);
    well.push(tookS);
  }
  return [
    against(`${name}: evidence to verdict`, "s", seen, seenS),
    against(`${name}: evidence to healed`, "s", well, seenS + healS),
  ];
}

async function once({ cause, act, hurt }) {
  const config = [`policy: {${seconds(policy)}${act === undefined ? "" : `, act: ${act}`}}`];
  const fleet = await Fleet.start({ allowFaults: true, config, env: { PDCTL_TEST_LIMITS: "1" } });
  const over = new AbortController();
  try {
    await works(fleet);
    await sleep(2_000); // a few looks at a fleet that is well
    await hurt(fleet, over.signal);
    const client = new DaemonClient(fleet.socket);
    const incident = await until(`the incident of ${cause} to end`, limitMs, async () => {
      const line = (await fleet.view().catch(() => undefined))?.incidents.find((one) => one.cause === cause);
      return line?.ended === undefined ? undefined : await client.incident(line.id);
    });
    await works(fleet);
    return timesOf(incident, cause);
  } catch (error) {
    throw new Error(`${String(error)}\n${fleet.said()}`);
  } finally {
    over.abort();
    await fleet.end();
  }
}

function timesOf({ verdicts, healSeconds }, cause) {
  const first = verdicts.find(({ verdict }) => verdict.cause === cause);
  if (first === undefined || healSeconds === undefined) throw new Error(`the incident tells no times of ${cause}`);
  const evidenceMs = Math.min(...verdicts.map(({ verdict }) => verdict.sinceMs));
  // The date of the verdict, on the monotonic clock of the evidence.
  const verdictMs = Date.parse(first.at) - systemClock.wallMs() + systemClock.nowMs();
  return { verdictS: (verdictMs - evidenceMs) / 1_000, healS: healSeconds };
}

async function works(fleet) {
  const answer = await complete(fleet.url, { prompt: "The capital of France is", max_tokens: 4 });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
}

/** One request whose pages prefill never sends, on engines that look at no deadline. */
async function pin(fleet, signal) {
  const { prefill, decode } = await fleet.engines();
  for (const engine of [prefill, decode]) await engine.fault("ignore-deadlines", true);
  await prefill.fault("never-send", true);
  complete(fleet.url, { prompt: "The capital of France is", max_tokens: 4 }, signal).catch(() => {}); // it has to fail
  await until("the request to be inflight", 30_000, async () =>
    (await prefill.records()).find(({ live, stage }) => live && stage === "inflight"),
  );
  await prefill.fault("never-send", false);
}

async function freeze(fleet) {
  process.kill(await fleet.pidOf("decode"), "SIGSTOP");
}

async function kill(fleet) {
  process.kill(await fleet.pidOf("decode"), "SIGKILL");
}
