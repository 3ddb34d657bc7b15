import fc from "fast-check";
import { expect, test } from "vitest";
import { actionsOf, decisions } from "../../../cases/decisions.ts";
import {
  every,
  type Fields,
  type Line,
  open,
  recording,
  restingDecode,
  restingPrefill,
  sample,
} from "../../../cases/recording.ts";

// What one sample of a fleet at work may say besides: any queue of any length, any counter that stands.
const anyQueues = fc.record({
  prefill: fc.record({ bootstrap_queue: length(), waiting: length(), running: length(), inflight: length() }),
  decode: fc.record({ prealloc_queue: length(), transfer_queue: length(), waiting: length(), running: length() }),
  open: fc.integer({ min: 0, max: 3 }),
  health: fc.constantFrom("ok" as const, "timeout" as const, "fail" as const),
  missing: fc.constantFrom("none", "none", "none", "prefill", "decode", "router"),
});

type Moment = {
  readonly prefill: Fields;
  readonly decode: Fields;
  readonly open: number;
  readonly health: "ok" | "timeout" | "fail";
  readonly missing: string;
};

const counters = ["prompt_tokens_total", "generated_tokens_total", "transfer_bytes_total"] as const;

function length() {
  return fc.integer({ min: 0, max: 2 });
}

/** Something moves at least every 15 s: a token or a byte, on one end or the other. */
const benign = fc.record({
  moments: fc.array(anyQueues, { minLength: 10, maxLength: 60 }),
  steps: fc.array(fc.record({ pauses: fc.integer({ min: 1, max: 3 }), counter: fc.constantFrom(...counters) }), {
    minLength: 60,
    maxLength: 60,
  }),
  stays: fc.boolean(),
});

test("whatever the queues say, nothing destructive is planned while something moves every 15 s", async () => {
  await fc.assert(
    fc.asyncProperty(benign, async ({ moments, steps, stays }) => {
      const all = await decisions(workingFleet(moments, steps, stays));
      expect(actionsOf(all).filter((words) => !words.includes(" notify "))).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test("the same recording gives the same decisions, each time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyQueues, { minLength: 5, maxLength: 40 }), async (moments) => {
      const lines = recording(every(5, 0, 5 * (moments.length - 1)), (t) => linesOf(moments[t / 5], t, {}));
      expect(await decisions(lines)).toEqual(await decisions(lines));
    }),
    { numRuns: 50 },
  );
});

type Step = { readonly pauses: number; readonly counter: (typeof counters)[number] };

function workingFleet(moments: readonly Moment[], steps: readonly Step[], stays: boolean): readonly string[] {
  const counts = { prompt_tokens_total: 4_096, generated_tokens_total: 512, transfer_bytes_total: 607_488 };
  let [next, at] = [0, 0];
  return recording(every(5, 0, 5 * (moments.length - 1)), (t) => {
    const step = steps[at];
    if (step !== undefined && t >= next) {
      counts[step.counter] += 100;
      next = t + 5 * step.pauses;
      at += 1;
    }
    // A sample that is missing must not hide that something moved.
    const moment = { ...(moments[stays ? 0 : t / 5] ?? moments[0]), missing: "none" } as Moment;
    return linesOf(moment, t, { ...counts });
  });
}

function linesOf(moment: Moment | undefined, t: number, counts: Fields): readonly Line[] {
  if (moment === undefined) return [];
  const { prompt_tokens_total: prompt, generated_tokens_total: generated, transfer_bytes_total: bytes } = counts;
  const told = (fields: Record<string, number | undefined>): Line =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const requests = Array.from({ length: moment.open }, (_, index) => open(`r${index}`, t, { room: `${index}` }));
  return [
    ...(moment.missing === "prefill"
      ? []
      : [
          sample(t, "P1", {
            ...restingPrefill,
            ...moment.prefill,
            health: moment.health,
            ...told({ prompt_tokens_total: prompt, transfer_bytes_total: bytes }),
          }),
        ]),
    ...(moment.missing === "decode"
      ? []
      : [sample(t, "D1", { ...restingDecode, ...moment.decode, ...told({ generated_tokens_total: generated }) })]),
    ...(moment.missing === "router" ? [] : [{ kind: "sample", t, id: "R", open: requests }]),
  ];
}
