import { expect, test } from "vitest";
import { BugError } from "../../../../src/contract/errors.ts";
import type { ProcessState } from "../../../../src/contract/fleet.ts";
import { type ProcessEntry, ProcessTable, processView } from "../../../../src/daemon/supervisor/process-table.ts";
import type { ProcessSpec } from "../../../../src/drivers/process-spec.ts";

const spec: ProcessSpec = {
  name: "prefill",
  role: "prefill",
  driver: "native",
  argv: ["/bin/true"],
  env: {},
  cwd: "/",
  readyFile: "/none",
  startMs: 1,
  stopMs: 1,
};

function tableWith(
  steps: readonly ProcessState[],
  onEnter: (entry: ProcessEntry) => void = () => undefined,
): ProcessTable {
  const table = new ProcessTable(() => 5, onEnter);
  table.add(spec);
  for (const step of steps) table.enter("prefill", step);
  return table;
}

test.each([
  { steps: ["starting", "ready", "draining", "ready", "draining", "stopping", "stopped", "starting"] },
  { steps: ["starting", "failed", "starting", "ready", "failed", "stopping", "stopped"] },
  { steps: ["starting", "stopping", "failed", "stopping"] },
] as const)("$steps is a life", ({ steps }) => {
  const seen: ProcessState[] = [];
  tableWith(steps, ({ state }) => seen.push(state));
  expect(seen).toEqual(steps);
});

test.each([
  { steps: ["ready"] },
  { steps: ["starting", "draining"] },
  { steps: ["starting", "stopped"] },
  { steps: ["starting", "ready", "starting"] },
  { steps: ["starting", "ready", "stopping", "ready"] },
] as const)("$steps is a bug", ({ steps }) => {
  expect(() => tableWith(steps)).toThrow(BugError);
});

test("a new start counts a generation and forgets what was known of the last one", () => {
  const table = tableWith(["starting"]);
  table.note("prefill", { pid: 9 });
  expect(processView(table.get("prefill"))).toMatchObject({ state: "starting", pid: 9 });
  table.enter("prefill", "failed", { failure: "it ended" });
  const failed = processView(table.get("prefill"));
  expect(failed).toMatchObject({ state: "failed", failure: "it ended", generation: 1 });
  expect(failed).not.toHaveProperty("pid");
  table.enter("prefill", "starting");
  const view = processView(table.get("prefill"));
  expect(view).toMatchObject({ state: "starting", generation: 2 });
  expect(view).not.toHaveProperty("pid");
  expect(view).not.toHaveProperty("failure");
});
