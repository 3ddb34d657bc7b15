import { expect, test } from "vitest";
import {
  bigTransfer,
  emptyBodies,
  idleFleet,
  longPrefill,
  silentPrefill,
  sleepingObserver,
  slowStart,
  staleGauge,
} from "../../../cases/calm.ts";
import { actionsOf, decisions, evidenceOf, troubles, verdictsOf } from "../../../cases/decisions.ts";
import { every, open, recording, restingDecode, restingPrefill, sample } from "../../../cases/recording.ts";

test.each(["prefill", "edge", "log"] as const)("a big transfer is busy where the %s tells its bytes", async (bytes) => {
  const all = await decisions(bigTransfer(bytes));
  expect(troubles(all)).toEqual([]);
  expect(verdictsOf(all, "edge P1:D1")).toEqual(["5 busy(transferring)", "50 ok"]);
  expect(evidenceOf(all, "edge P1:D1", "busy")[0]).toMatch(/8[01](\.2)? MB\/s/);
  expect(actionsOf(all)).toEqual([]);
});

test("a big transfer that nobody can see is suspect and no more, and cleared when it is over", async () => {
  const all = await decisions(bigTransfer("none"));
  expect(verdictsOf(all, "edge P1:D1").slice(0, 2)).toEqual(["30 suspect(no-progress)", "50 ok"]);
  expect(actionsOf(all)).toEqual([]);
});

test("a long prefill is busy, whatever its health page says", async () => {
  const all = await decisions(longPrefill());
  expect(verdictsOf(all, "engine P1").slice(0, 2)).toEqual(["0 busy(prefill)", "165 busy(transferring)"]);
  expect(troubles(all)).toEqual([]);
  expect(actionsOf(all)).toEqual([]);
});

test("a prefill whose counters are silent is not restarted", async () => {
  const all = await decisions(silentPrefill());
  expect(verdictsOf(all, "engine P1")[0]).toBe("0 busy(prefill)");
  expect(actionsOf(all)).toEqual([]);
});

test("six hours of nothing are idle, in one line a subject", async () => {
  const all = await decisions(idleFleet());
  expect(troubles(all)).toEqual([]);
  expect(all.filter((line) => line.t > 0)).toEqual([]);
  expect(verdictsOf(all, "engine P1")).toEqual(["0 idle"]);
});

test("a gauge that stays up after the last token is never suspect", async () => {
  const all = await decisions(staleGauge());
  expect(verdictsOf(all, "engine D1")).toEqual(["0 busy(decode)", "45 idle(stale-gauge)", "70 idle"]);
  expect(troubles(all)).toEqual([]);
});

test("a body without a byte is unknown, and nothing clears or happens because of it", async () => {
  const all = await decisions(emptyBodies());
  expect(verdictsOf(all, "engine P1")).toEqual(["0 busy(transferring)", "20 unknown(no-data)"]);
  expect(actionsOf(all)).toEqual(["80 notify engine P1"]);
  expect(verdictsOf(all, "edge P1:D1")).toEqual([]);
});

test("an engine is starting until its first canary has gone through it", async () => {
  const all = await decisions(slowStart());
  expect(verdictsOf(all, "engine D1")).toEqual(["0 starting", "735 idle"]);
  expect(actionsOf(all)).toEqual([]);
});

test("an engine that stays longer than its start may take is down", async () => {
  const all = await decisions(slowStart({ canaryAtS: undefined, toS: 1_900, driver: "sglang" }));
  expect(verdictsOf(all, "engine D1")).toEqual(["0 starting", "1805 down(start-timeout)"]);
});

const wedge = (t: number) => [
  sample(t, "P1", { ...restingPrefill, inflight: 1 }),
  sample(t, "D1", { ...restingDecode, transfer_queue: 1 }),
  { kind: "sample", t, id: "R", open: [open("r1", t)] },
];

test("a jump of the wall clock changes nothing", async () => {
  const jumps = [
    { kind: "clock", t: 20, jump_s: 3_600 },
    { kind: "clock", t: 40, jump_s: -3_600 },
  ];
  const all = await decisions(
    recording(every(5, 0, 60), (t) => [...jumps.filter((jump) => jump.t === t), ...wedge(t)]),
  );
  expect(troubles(all)).toEqual(["30 edge P1:D1 suspect(no-progress)", "60 edge P1:D1 wedge(transfer-stall)"]);
});

test("after the observer has slept the evidence begins anew, and nothing is done for a minute", async () => {
  const all = await decisions(sleepingObserver(wedge));
  expect(verdictsOf(all, "edge P1:D1").slice(0, 2)).toEqual(["30 suspect(no-progress)", "1305 wedge(transfer-stall)"]);
  const [first] = actionsOf(all);
  expect(Number(first?.split(" ")[0])).toBeGreaterThanOrEqual(1_305);
});

test("a gap in the data of one end pauses its clock", async () => {
  const all = await decisions(recording(every(5, 0, 120), (t) => (t > 20 && t < 45 ? wedge(t).slice(1) : wedge(t))));
  expect(verdictsOf(all, "edge P1:D1")).toEqual(["50 suspect(no-progress)", "80 wedge(transfer-stall)"]);
});

test("what was seen before a restart does not count", async () => {
  const all = await decisions(
    recording(every(5, 0, 80), (t) =>
      wedge(t).map((line) => ("id" in line && line.id === "D1" ? { ...line, generation: t < 40 ? 1 : 2 } : line)),
    ),
  );
  expect(verdictsOf(all, "edge P1:D1")).not.toContain("60 wedge(transfer-stall)");
});

test("a pair whose canaries do not come back is on probation until one does, and nothing is torn down for it", async () => {
  const canaries = new Map<number, string>([
    ...([
      [20, "ok"],
      [80, "timeout"],
      [140, "busy"],
      [200, "timeout"],
      [260, "ok"],
    ] as const),
  ]);
  const all = await decisions(
    recording(every(5, 0, 300), (t) => [
      sample(t, "P1", restingPrefill),
      sample(t, "D1", restingDecode),
      { kind: "sample", t, id: "R", open: [] },
      ...[canaries.get(t)].flatMap((result) =>
        result === undefined ? [] : [{ kind: "canary", t, edge: "P1:D1", result }],
      ),
    ]),
  );
  expect(verdictsOf(all, "edge P1:D1")).toEqual(["0 idle", "80 suspect(probation)", "260 idle"]);
  expect(evidenceOf(all, "edge P1:D1", "suspect")[0]).toMatch(/the last canary over it did not come back/);
  expect(actionsOf(all)).toEqual([]);
});
