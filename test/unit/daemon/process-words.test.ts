import { expect, test } from "vitest";
import { failedWords, stoppedWords } from "../../../src/daemon/process-words.ts";
import type { ProcessEntry } from "../../../src/daemon/supervisor/process-table.ts";

const spec = {
  ...{ name: "decode", role: "decode" as const, driver: "native", argv: [], env: {}, cwd: "/" },
  ...{ readyFile: "/r", startMs: 1, stopMs: 1 },
};
const ready: ProcessEntry = { spec, state: "ready", sinceMs: 0, generation: 1, pid: 7 };
const stopped: ProcessEntry = { ...ready, state: "stopped" };
const cause = "ended by itself with signal SIGKILL";

test("a process that ends by itself while the fleet serves is told with what to do and where its log is", () => {
  expect(failedWords({ spec, cause }, { served: true, logFile: "/logs/decode.log" })).toEqual([
    "decode     failed: ended by itself with signal SIGKILL",
    "           pdctl down, then pdctl up, to serve again; its last words are in /logs/decode.log",
  ]);
  expect(failedWords({ spec, cause }, { served: false, logFile: "/logs/decode.log" })).toHaveLength(1);
});

test("only what was running is said to have stopped", () => {
  expect(stoppedWords(ready, stopped)).toEqual(["decode     stopped"]);
  expect(stoppedWords({ ...ready, state: "failed" }, stopped)).toEqual([]);
  expect(stoppedWords({ spec, state: "stopped" }, stopped)).toEqual([]);
});
