import { expect, test } from "vitest";
import { actionsOf, decisions, evidenceOf, troubles, verdictsOf } from "../../../cases/decisions.ts";
import { every, open, recording, restingDecode, restingPrefill, sample } from "../../../cases/recording.ts";
import {
  blindWedge,
  bootstrapStall,
  classicWedge,
  classicWedgeByRequest,
  frozenDecode,
  oneStuckAmongMany,
  orphanByCounts,
  orphanByRequest,
  stuckLoop,
} from "../../../cases/wedges.ts";

test("a transfer that stands still is suspect after 30 s and wedged after 60 s, once", async () => {
  const all = await decisions(classicWedge());
  expect(troubles(all)).toEqual(["30 edge P1:D1 suspect(no-progress)", "60 edge P1:D1 wedge(transfer-stall)"]);
  expect(evidenceOf(all, "edge P1:D1", "wedge")[0]).toBe("inflight 1 on P1 and the byte counter at 607,488 for 60 s");
});

test("with one pair and no guilty engine the ladder is fail, then co-restart, then a word to somebody", async () => {
  expect(actionsOf(await decisions(classicWedge()))).toEqual([
    "60 fail request r1",
    "65 co-restart edge P1:D1",
    "70 notify edge P1:D1",
  ]);
});

test("without a router nothing can be named, so that all of a pair that stands still is aborted", async () => {
  expect(actionsOf(await decisions(classicWedge({ withRouter: false })))[0]).toBe("60 abort edge P1:D1");
});

test("where requests are known one by one the verdict is on the request, and its pair is only secondary", async () => {
  const all = await decisions(classicWedgeByRequest());
  expect(troubles(all)).toEqual([
    "30 request r1 suspect(no-progress)",
    "60 request r1 wedge(transfer-stall)",
    "60 edge P1:D1 suspect(secondary)",
  ]);
  expect(actionsOf(all)[0]).toBe("60 fail request r1");
  const wedge = all.find((line) => line.kind === "verdict" && line.verdict === "wedge");
  expect(wedge).toMatchObject({
    ruled_out: expect.arrayContaining([{ cause: "orphan", by: "D1 holds it in transfer" }]),
  });
});

test("without anybody who counts bytes a wedge takes two minutes", async () => {
  expect(troubles(await decisions(blindWedge()))).toEqual([
    "30 edge P1:D1 suspect(no-progress)",
    "120 edge P1:D1 wedge(transfer-stall)",
  ]);
});

test("a request that decode has never met is a stall of the bootstrap", async () => {
  expect(verdictsOf(await decisions(bootstrapStall()), "request r1")).toEqual([
    "30 suspect(no-progress)",
    "60 wedge(bootstrap-stall)",
  ]);
});

test("an orphan by counts is suspect first and wedged at the time of a suspicion", async () => {
  const all = await decisions(orphanByCounts());
  expect(verdictsOf(all, "edge P1:D1")).toEqual(["15 suspect(no-progress)", "30 wedge(orphan)"]);
  expect(actionsOf(all)[0]).toBe("30 abort edge P1:D1");
});

test("an orphan by name is wedged in the second sample that shows it, and failed in the same tick", async () => {
  const all = await decisions(orphanByRequest());
  expect(verdictsOf(all, "request r1")).toEqual(["5 wedge(orphan)"]);
  expect(actionsOf(all).slice(0, 2)).toEqual(["5 fail request r1", "10 restart engine P1"]);
});

test("one stuck request beside moving ones is failed, and nothing above it", async () => {
  const all = await decisions(oneStuckAmongMany());
  expect(verdictsOf(all, "request r1")).toEqual(["30 suspect(no-progress)", "60 wedge(transfer-stall)"]);
  expect(actionsOf(all)).toEqual(["60 fail request r1", "65 notify request r1"]);
});

test("a stopped process is a hang of its loop, and what waits for it is secondary", async () => {
  const all = await decisions(frozenDecode({ proc_state: "T" }));
  expect(verdictsOf(all, "engine D1").slice(1)).toEqual(["30 suspect(no-progress)", "60 wedge(loop-hang)"]);
  expect(verdictsOf(all, "edge P1:D1")).toEqual(["30 suspect(secondary)"]);
  expect(actionsOf(all)[0]).toBe("60 restart engine D1");
});

test("a process that does nothing and does not answer hangs, too", async () => {
  const all = await decisions(frozenDecode((t) => ({ proc_state: "S", cpu_seconds_total: 40 + t / 1_000 })));
  expect(verdictsOf(all, "engine D1").at(-1)).toBe("60 wedge(loop-hang)");
});

test("a process that computes and does not answer is busy", async () => {
  const all = await decisions(frozenDecode((t) => ({ proc_state: "R", cpu_seconds_total: 1.5 * t })));
  expect(verdictsOf(all, "engine D1").at(-1)).toBe("5 busy");
  expect(actionsOf(all)).toEqual([]);
});

test("one of which the kernel says nothing is unknown, and somebody is told", async () => {
  const all = await decisions(frozenDecode({}));
  expect(verdictsOf(all, "engine D1")).toEqual(["0 unknown(no-data)"]);
  expect(actionsOf(all)).toEqual(["60 notify engine D1"]);
});

test("a loop that does not turn although it is called hangs behind a server that answers", async () => {
  const all = await decisions(stuckLoop());
  expect(verdictsOf(all, "engine D1").slice(-2)).toEqual(["30 suspect(no-progress)", "60 wedge(loop-hang)"]);
  expect(actionsOf(all)[0]).toBe("60 restart engine D1");
});

test("a batch that gives no token while clients wait is wedged, whatever a sticky throughput says", async () => {
  const all = await decisions(
    recording(every(5, 0, 90), (t) => [
      sample(t, "P1", restingPrefill),
      sample(t, "D1", { ...restingDecode, running: 2, gen_throughput: 18.3 }),
      { kind: "sample", t, id: "R", open: [open("r1", t), open("r2", t, { room: "8" })] },
    ]),
  );
  expect(verdictsOf(all, "engine D1").slice(-2)).toEqual(["30 suspect(no-progress)", "60 wedge(decode)"]);
});

test.each([1, 2, 3])("the verdict is on the pair that decode's queue shows, of three (D%i)", async (stuck) => {
  const decodes = [1, 2, 3];
  const engines = [
    { id: "P1", role: "prefill", driver: "native" },
    ...decodes.map((n) => ({ id: `D${n}`, role: "decode", driver: "native" })),
  ];
  const lines = recording(
    every(5, 0, 60),
    (t) => [
      sample(t, "P1", { ...restingPrefill, inflight: 1 }),
      ...decodes.map((n) => sample(t, `D${n}`, { ...restingDecode, transfer_queue: n === stuck ? 1 : 0 })),
    ],
    { kind: "fleet", version: 1, engines, policy: { poll: "5s" } },
  );
  const all = await decisions(lines);
  expect(troubles(all)).toEqual([
    `30 edge P1:D${stuck} suspect(no-progress)`,
    `60 edge P1:D${stuck} wedge(transfer-stall)`,
  ]);
});
