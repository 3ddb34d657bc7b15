import {
  every,
  type Fields,
  fleetLine,
  type Line,
  pair,
  open,
  recording,
  restingDecode,
  restingPrefill,
  sample,
} from "./recording.ts";

const router = (t: number, ages: readonly number[] = []): Line => ({
  kind: "sample",
  t,
  id: "R",
  open: ages.map((ageS, index) => open(`r${index}`, ageS)),
});

/** S02: a transfer of 4 GB at 80 MB/s, and then decode has it. `bytes` says how they are seen. */
export function bigTransfer(bytes: "prefill" | "edge" | "log" | "none") {
  return recording(every(5, 0, 60), (t) => {
    const { transfer_bytes_total: _, ...prefill } = restingPrefill;
    const done = t >= 50;
    const counted: Fields = bytes === "prefill" ? { transfer_bytes_total: 80_000_000 * t } : {};
    return [
      ...(bytes === "log" ? [{ kind: "log", t, id: "P1", line: "transfer: 81.2 MB/s over last 5s" }] : []),
      ...(bytes === "edge" ? [{ kind: "edge", t, prefill: "P1", decode: "D1", bytes_total: 80_000_000 * t }] : []),
      sample(t, "P1", { ...prefill, ...counted, inflight: done ? 0 : 1 }),
      sample(t, "D1", {
        ...restingDecode,
        transfer_queue: done ? 0 : 1,
        running: done ? 1 : 0,
        generated_tokens_total: done ? 512 + t : 512,
      }),
      router(t, [t]),
    ];
  });
}

/** S04: a prompt of 512 K tokens prefills for 160 s while the health page does not answer, then moves for 20 s. */
export function longPrefill() {
  return recording(every(5, 0, 200), (t) => {
    const prefills = t < 160;
    const moves = !prefills && t < 180;
    return [
      sample(t, "P1", {
        ...restingPrefill,
        health: t >= 20 && t <= 160 ? "timeout" : "ok",
        running: prefills ? 1 : 0,
        inflight: moves ? 1 : 0,
        prompt_tokens_total: 16_384 * (Math.min(t, 160) / 5),
        transfer_bytes_total: 1_000_000 * Math.max(0, t - 160),
      }),
      sample(t, "D1", {
        ...restingDecode,
        transfer_queue: t < 180 ? 1 : 0,
        running: t < 180 ? 0 : 1,
        generated_tokens_total: Math.max(512, t * 10),
      }),
      router(t, [t]),
    ];
  });
}

/** S06: nothing to do, for `hours`. */
export function idleFleet({ hours = 6 } = {}) {
  return recording(every(5, 0, hours * 3_600), (t) => [
    sample(t, "P1", restingPrefill),
    sample(t, "D1", restingDecode),
    router(t),
  ]);
}

/** S07: 24 were running; the gauge stays up for 30 s after their last token. */
export function staleGauge() {
  return recording(every(5, 0, 120), (t) => [
    sample(t, "P1", restingPrefill),
    sample(t, "D1", { ...restingDecode, running: t < 70 ? 24 : 0, generated_tokens_total: 100 * Math.min(t, 40) }),
    router(t, t < 40 ? [t] : []),
  ]);
}

/** S26 (a): prefill's metrics answer 200 with no body from 20 s on. */
export function emptyBodies() {
  return recording(every(5, 0, 120), (t) => [
    t < 20
      ? sample(t, "P1", { ...restingPrefill, inflight: 1 })
      : { kind: "scrape", t, id: "P1", source: "metrics", status: 200, body: "" },
    sample(t, "D1", { ...restingDecode, transfer_queue: 1 }),
    router(t, [t]),
  ]);
}

/** S30: decode loads its weights for 720 s behind a health page that says ok after 20, and answers after 735. */
export function slowStart(
  { canaryAtS, toS = 760, driver = "native" }: { canaryAtS?: number | undefined; toS?: number; driver?: string } = {
    canaryAtS: 735,
  },
) {
  const engines = pair.map((one) => (one.id === "R" ? one : { ...one, driver }));
  return recording(
    every(5, 0, toS),
    (t) => [
      sample(t, "P1", restingPrefill),
      sample(
        t,
        "D1",
        t < 20 ? { health: "refused", start_time: 0 } : { ...restingDecode, generated_tokens_total: 0, start_time: 0 },
      ),
      router(t),
      ...(t === canaryAtS ? [{ kind: "canary", t, edge: "P1:D1", result: "ok" }] : []),
    ],
    fleetLine(engines),
  );
}

/** S05: the same prompt, but the counters move only when it is done. */
export function silentPrefill() {
  return recording(every(5, 0, 160), (t) => [
    sample(t, "P1", { ...restingPrefill, running: 1, gpu_util: 0.98, prompt_tokens_total: t < 160 ? 0 : 524_288 }),
    sample(t, "D1", { ...restingDecode, prealloc_queue: 0, transfer_queue: 1 }),
    router(t, [t]),
  ]);
}

/** A long recording in which the observer itself slept. */
export function sleepingObserver(at: (t: number) => readonly Line[], { fromS = 45, forS = 1_200, toS = 1_400 } = {}) {
  return recording([...every(5, 0, fromS), ...every(5, fromS + forS, toS)], at, fleetLine());
}
