import { expect, test } from "vitest";
import { severityOf, worstOf } from "../../../src/contract/severity.ts";
import { type VerdictName, verdictCauses } from "../../../src/contract/verdict.ts";

const expected: Record<VerdictName, string> = {
  ...{ ok: "OK", idle: "OK", busy: "OK", draining: "OK", paused: "OK" },
  ...{ starting: "WARNING", slow: "WARNING", suspect: "WARNING", leak: "WARNING", storm: "WARNING" },
  ...{ wedge: "CRITICAL", down: "CRITICAL", fault: "CRITICAL", unknown: "UNKNOWN" },
};

test.each(Object.entries(expected))("%s is %s", (name, severity) => {
  expect(severityOf(name as VerdictName, undefined)).toBe(severity);
});

test("of the faults, those that break nothing are warnings", () => {
  const mild = verdictCauses.fault.filter((cause) => severityOf("fault", cause) === "WARNING");
  expect(mild).toEqual(["router-stale-worker", "limit-too-low", "pd-bypassed", "config", "bad-request"]);
});

test("a broken edge that is taken out is a warning while others serve, and critical where none does", () => {
  expect(severityOf("wedge", "transfer-stall", { quarantined: true, othersServe: true })).toBe("WARNING");
  expect(severityOf("wedge", "transfer-stall", { quarantined: true, othersServe: false })).toBe("CRITICAL");
});

test("the worst counts: what is broken before what is not known", () => {
  expect(worstOf([])).toBe("OK");
  expect(worstOf(["OK", "WARNING", "UNKNOWN"])).toBe("UNKNOWN");
  expect(worstOf(["UNKNOWN", "CRITICAL", "OK"])).toBe("CRITICAL");
});
