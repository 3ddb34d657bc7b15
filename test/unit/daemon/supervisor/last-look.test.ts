import { expect, test } from "vitest";
import type { Action } from "../../../../src/contract/action.ts";
import type { Observation, Sample } from "../../../../src/contract/observation.ts";
import { lookAgain } from "../../../../src/daemon/supervisor/look-again.ts";
import { ProcessTable } from "../../../../src/daemon/supervisor/process-table.ts";
import type { ProcessSpec } from "../../../../src/drivers/process-spec.ts";
import { actionOf } from "./fleet-under-test.ts";

const never = new AbortController().signal;
const wedge = { subject: "edge prefill:decode", verdict: "wedge", cause: "transfer-stall" } as const;
const hang = { subject: "engine prefill", verdict: "wedge", cause: "loop-hang" } as const;
const down = { subject: "engine prefill", verdict: "down", cause: "refused" } as const;

function tableOf(): ProcessTable {
  const table = new ProcessTable(
    () => 0,
    () => undefined,
  );
  for (const role of ["prefill", "decode", "router"] as const) {
    const spec: ProcessSpec = {
      ...{ name: role, role, driver: "native", argv: [], env: {}, cwd: "/" },
      ...{ readyFile: "/none", startMs: 1, stopMs: 1 },
    };
    table.add(spec, { state: "ready", generation: 3 });
  }
  return table;
}

/** Each look at an engine brings the next of its samples; the last one stays. */
async function staleness(
  action: Partial<Action>,
  samples: Readonly<Record<string, readonly Partial<Sample>[]>>,
  epoch = 1,
) {
  const looks = new Map(Object.entries(samples).map(([name, list]) => [name, [...list]]));
  const look = async (name: string): Promise<Observation | undefined> => {
    const list = looks.get(name) ?? [];
    const sample = list.length > 1 ? list.shift() : list[0];
    return sample === undefined ? undefined : { kind: "sample", t: 0, id: name, ...sample };
  };
  const whole = actionOf("a", { action: "fail", target: "request r1", by: "healer", ...action });
  return await lookAgain({ table: tableOf(), intents: { epoch }, look }, whole, never);
}

const fail: Partial<Action> = { action: "fail", target: "request r1", requests: ["r1"], verdict: wedge };
const restart: Partial<Action> = {
  action: "restart",
  target: "engine prefill",
  generation: 3,
  requests: ["r1"],
  verdict: wedge,
};
const held: Partial<Sample> = { health: "ok", inflight: 1, generated_tokens_total: 7, requests: [{ id: "r1" }] };
const empty: Partial<Sample> = { health: "ok", inflight: 0, running: 0, generated_tokens_total: 7, requests: [] };

type Row = [string, Partial<Action>, Record<string, Partial<Sample>[]>, string | undefined];

test.each<Row>([
  ["a request that is still there is failed", fail, { prefill: [held], decode: [empty], router: [empty] }, undefined],
  [
    "a request that is there is failed although another engine is silent",
    fail,
    { prefill: [held], router: [empty] },
    undefined,
  ],
  [
    "a request that has gone is left alone",
    fail,
    { prefill: [empty], decode: [empty], router: [empty] },
    "there any more",
  ],
  ["a request that cannot be found by everyone is left alone", fail, { decode: [empty] }, "not everyone can be read"],
  ["an engine that still holds it is restarted", restart, { prefill: [held] }, undefined],
  [
    "an engine that moves is not restarted",
    restart,
    { prefill: [held, { ...held, generated_tokens_total: 8 }] },
    "prefill makes progress again",
  ],
  ["an engine that has nothing any more is not restarted", restart, { prefill: [empty] }, "nothing is stuck"],
  ["an engine that cannot be read is not restarted for a stall", restart, {}, "nobody of it can be read"],
  ["an engine that hangs and cannot be read is restarted", { ...restart, verdict: hang }, {}, undefined],
  ["an engine that hung and answers is not", { ...restart, verdict: hang }, { prefill: [held] }, "answers again"],
  ["an engine that is down and cannot be read is restarted", { ...restart, verdict: down }, {}, undefined],
  ["an engine of another generation is not", { ...restart, generation: 2 }, { prefill: [held] }, "started again since"],
  ["what a person asks for is done", { ...restart, by: "operator" }, { prefill: [empty] }, undefined],
])("%s", async (_words, action, samples, stale) => {
  const found = await staleness(action, samples);
  if (stale === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(stale);
});

test("a plan of an earlier epoch is stale", async () => {
  expect(await staleness(restart, { prefill: [held] }, 2)).toBe("it was planned in epoch 1, and this is epoch 2");
});
