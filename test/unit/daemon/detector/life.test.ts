import { expect, test } from "vitest";
import { fleetConfigSchema } from "../../../../src/contract/config.ts";
import { fleetLineSchema, observationSchema } from "../../../../src/contract/observation.ts";
import { emptyHistory } from "../../../../src/daemon/detector/history.ts";
import { judge } from "../../../../src/daemon/detector/judge.ts";
import { see } from "../../../../src/daemon/detector/see.ts";
import { decisions, troubles, verdictsOf } from "../../../cases/decisions.ts";
import {
  every,
  fleetLine,
  type Line,
  pair,
  recording,
  restingDecode,
  restingPrefill,
  sample,
} from "../../../cases/recording.ts";

const prefill = (t: number): Line => sample(t, "P1", restingPrefill);
const router = (t: number): Line => ({ kind: "sample", t, id: "R", open: [] });

test("an engine that ends again and again is in a loop of crashes", async () => {
  const all = await decisions(
    recording(every(5, 0, 100), (t) => [
      prefill(t),
      router(t),
      // It ends every ten seconds, and is seen to start in between.
      t % 10 === 0 ? { kind: "exit", t, id: "D1", code: 1 } : sample(t, "D1", { health: "starting", generation: t }),
    ]),
  );
  expect(verdictsOf(all, "engine D1").slice(0, 3)).toEqual(["0 down(exited)", "5 starting", "10 down(exited)"]);
  expect(verdictsOf(all, "engine D1")).toContain("50 down(crash-loop)");
});

test("an engine that was up and refuses is starting until its limit, and then down", async () => {
  const all = await decisions(
    recording(
      every(5, 0, 120),
      (t) => [prefill(t), router(t), sample(t, "D1", t < 20 ? restingDecode : { health: "refused" })],
      fleetLine(pair, undefined, { start_timeout_s: 60 }),
    ),
  );
  expect(verdictsOf(all, "engine D1")).toEqual(["0 idle", "20 starting", "85 down(refused)"]);
});

test("a process that is only a zombie is down, whatever its port says", async () => {
  const all = await decisions(
    recording([0, 5, 10], (t) => [prefill(t), router(t), sample(t, "D1", { health: "refused", proc_state: "Z" })]),
  );
  expect(verdictsOf(all, "engine D1")).toEqual(["0 down(exited)"]);
});

test.each([
  { state: "Z", words: "its process has ended and nobody has taken its exit status" },
  { state: "X", words: "no process of it is there" },
])("a process that is gone is down since it was first seen so: state $state", ({ state, words }) => {
  let history = emptyHistory(fleetLineSchema.parse(fleetLine()));
  for (const t of [0, 5, 10, 15, 20]) {
    const line = sample(t, "D1", { health: "refused", proc_state: t < 10 ? "S" : state });
    history = see(history, [observationSchema.parse(line)], t * 1_000);
  }
  const { policy } = fleetConfigSchema.parse({});
  const verdict = judge({ history, policy, nowMs: 20_000 }).find(({ subject }) => subject === "engine D1");
  expect(verdict).toMatchObject({ verdict: "down", cause: "exited", sinceMs: 10_000, evidence: [words] });
});

test("one whose next start has started nothing is down and not starting", async () => {
  const all = await decisions(
    recording([0, 5, 10, 15, 20], (t) => [
      prefill(t),
      router(t),
      ...(t === 5 ? [{ kind: "exit", t, id: "D1", signal: "SIGKILL" }] : []),
      ...(t === 0 ? [sample(t, "D1", { ...restingDecode, generation: 1 })] : []),
      ...(t === 10 ? [sample(t, "D1", { health: "starting", generation: 2 })] : []),
      ...(t > 10 ? [sample(t, "D1", { health: "refused", proc_state: "X", generation: 2 })] : []),
    ]),
  );
  expect(verdictsOf(all, "engine D1")).toEqual(["0 idle", "5 down(exited)", "10 starting", "15 down(exited)"]);
});

test("a sample of the run before an exit does not bring it back", async () => {
  const all = await decisions(
    recording([0, 5, 10, 15], (t) => [
      prefill(t),
      router(t),
      ...(t === 5 ? [{ kind: "exit", t, id: "D1", signal: "SIGKILL" }] : []),
      sample(t, "D1", { ...restingDecode, generation: t < 15 ? 1 : 2 }),
    ]),
  );
  expect(verdictsOf(all, "engine D1").slice(0, 3)).toEqual(["0 idle", "5 down(exited)", "15 starting"]);
});

test("a fleet without a router of ours misses none", async () => {
  const engines = pair.map((one) => (one.role === "router" ? { ...one, driver: "none" } : one));
  const all = await decisions(
    recording([0, 5], (t) => [prefill(t), sample(t, "D1", restingDecode)], fleetLine(engines)),
  );
  expect(troubles(all)).toEqual([]);
  expect(verdictsOf(all, "fleet")).toEqual(["0 ok"]);
});

test("nothing is known of who was never seen", async () => {
  const all = await decisions(recording([0, 5], (t) => [prefill(t)]));
  expect(troubles(all)).toEqual(["0 engine D1 unknown(no-data)", "0 router unknown(no-data)"]);
});
