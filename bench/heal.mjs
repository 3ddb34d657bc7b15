// How long healing takes, a cause a row: from the first evidence to the verdict, and until the incident is over and a
// new request is answered. Real fleets, broken on purpose, under a policy shorter than any that people run.
import { setTimeout as sleep } from "node:timers/promises";
import { DaemonClient } from "../src/client/daemon-client.ts";
import { systemClock } from "../src/lib/clock.ts";
import { complete } from "../test/e2e/support/completions.ts";
import { Fleet } from "../test/e2e/support/fleet.ts";
import { until } from "../test/e2e/support/until.ts";
import { against } from "./statistics.mjs";

const policy = { pollS: 0.3, suspectS: 2, wedgeS: 4 };
const seconds = ({ pollS, suspectS, wedgeS }) => `poll: ${pollS * 1_000}ms, suspect: ${suspectS}s, wedge: ${wedgeS}s`;
// What may be taken, in seconds. A verdict: the policy and three looks, and where the engine does not answer the limit
// of the first probe and of the last. Healing: what the effect needs to show, the stop of an engine that hears nothing,
// the start of one.
const looksS = 3 * policy.pollS;
const probeS = 3;
const settleS = 5;
const stopS = 10;
const startS = 10;

const cases = [
  {
    name: "transfer-stall, by fail",
    cause: "transfer-stall",
    hurt: pin,
    seenS: policy.wedgeS + looksS,
    healS: settleS,
  },
  {
    name: "transfer-stall, by co-restart",
    cause: "transfer-stall",
    act: "[co-restart]",
    hurt: pin,
    seenS: policy.wedgeS + looksS,
    healS: settleS + 2 * startS,
  },
  {
    name: "loop-hang of decode",
    cause: "loop-hang",
    hurt: freeze,
    seenS: policy.wedgeS + looksS + 2 * probeS,
    healS: settleS + stopS + startS,
  },
  { name: "exit of decode", cause: "exited", hurt: kill, seenS: looksS, healS: settleS + startS },
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
    const hurtMs = systemClock.nowMs();
    const incident = await ended(fleet, cause);
    await works(fleet); // of a co-restart the incident may be over before the new pair serves
    return timesOf(incident, { cause, hurtMs, healedMs: systemClock.nowMs() });
  } catch (error) {
    throw new Error(`${String(error)}\n${fleet.said()}`);
  } finally {
    over.abort();
    await fleet.end();
  }
}

/** The incident that was opened for the cause, once it is over: it may have taken other names on its way. */
async function ended(fleet, cause) {
  const client = new DaemonClient(fleet.socket);
  return await until(`an incident of ${cause} to end`, limitMs, async () => {
    const lines = (await fleet.view().catch(() => undefined))?.incidents ?? [];
    const over = lines.filter((line) => line.ended !== undefined);
    const whole = await Promise.all(over.map(async ({ id }) => await client.incident(id)));
    return whole.find(({ verdicts }) => verdicts.some(({ verdict }) => verdict.cause === cause));
  });
}

function timesOf({ verdicts }, { cause, hurtMs, healedMs }) {
  const first = verdicts.find(({ verdict }) => verdict.cause === cause);
  // The harm itself is evidence; where it was done some looks before, the detector tells when it began.
  const evidenceMs = Math.min(hurtMs, ...verdicts.map(({ verdict }) => verdict.sinceMs));
  // Its date, on the clock of the evidence.
  const verdictMs = Date.parse(first.at) - systemClock.wallMs() + systemClock.nowMs();
  return { verdictS: (verdictMs - evidenceMs) / 1_000, healS: (healedMs - evidenceMs) / 1_000 };
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
