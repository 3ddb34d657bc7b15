import { expect, test } from "vitest";
import { enginePage } from "../../../src/cli/engine-page.ts";
import { eventText } from "../../../src/cli/event-words.ts";
import { fleetPage } from "../../../src/cli/fleet-page.ts";
import { incidentPage } from "../../../src/cli/incident-page.ts";
import { remedies } from "../../../src/cli/remedies.ts";
import { requestPage } from "../../../src/cli/request-page.ts";
import { verdictPage, verdictText } from "../../../src/cli/verdict-words.ts";
import type { RequestDetail } from "../../../src/contract/request-view.ts";
import { type Verdict, type VerdictName, verdictCauses } from "../../../src/contract/verdict.ts";
import { eventOf, fleetOf, processOf } from "../client/support/small-daemon.ts";
import { record } from "../daemon/poller/records.ts";

const wedge: Verdict = {
  ...{ subject: "request 4f0c", verdict: "wedge", cause: "transfer-stall", sinceMs: 1_000, sure: "high" },
  evidence: ["no bytes for 61 s", "decode waits for them"],
  ruledOut: [{ cause: "busy", by: "prefill computes nothing" }],
  ...{ moving: false, fresh: true, requests: ["4f0c"], engines: ["prefill", "decode"], guilty: "prefill" },
};

test("a verdict says what it is, why, what it is not, and what to do", () => {
  expect(verdictPage(wedge, { nowMs: 62_000 })).toBe(
    [
      "Verdict    wedge (transfer-stall) of request 4f0c, for 1 m 01 s",
      "Because    no bytes for 61 s",
      "           decode waits for them",
      "Not        busy: prefill computes nothing",
      "To do      pdctl fail req 4f0c --why 'it does not move'",
      "           where that does not help: pdctl restart --co prefill",
      "",
    ].join("\n"),
  );
  expect(verdictText(undefined, undefined)).toBeUndefined();
});

const alarming = new Set<VerdictName>(["wedge", "leak", "storm", "fault", "down", "unknown", "suspect"]);
const rows = (Object.keys(verdictCauses) as VerdictName[])
  .filter((name) => alarming.has(name))
  .flatMap((verdict) => verdictCauses[verdict].map((cause) => ({ verdict, cause })));

test.each(rows)("there is something to do about $verdict ($cause), and no command lacks its name", (row) => {
  const lines = remedies({ ...wedge, ...row, subject: "engine decode", guilty: undefined, engines: ["decode"] });
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join("\n")).not.toMatch(/undefined|pdctl (restart|logs|resume)( --\S+)*$/m);
});

test("the fleet's page has its processes, its pairs and what is wrong, and a dash for what is unknown", () => {
  const decode = processOf({
    ...{ name: "decode", role: "decode", driver: "native", pid: 12, verdict: "wedge", cause: "transfer-stall" },
    load: { waiting: 2, prealloc_queue: 1, inflight: 1, inflight_oldest_s: 61 },
  });
  const fleet = fleetOf({
    engines: [decode],
    edges: [{ prefill: "p", decode: "decode", quarantined: true, open: 1 }],
    incidents: [{ id: "i1", subject: "edge p:decode", verdict: "wedge", since: "2026-01-01T00:00:00.000Z" }],
    restricted: "the journal was unreadable",
  });
  const page = fleetPage(fleet, { wide: false });
  expect(page).toMatch(/^decode +decode +ready +wedge \(transfer-stall\) +12 +1 +3 +- +1 \(1 m 01 s\)$/m);
  expect(page).toMatch(/^p → decode +- +1 +- +- +takes no new requests$/m);
  expect(page).toMatch(/^i1 +edge p:decode +wedge +2026-01-01T00:00:00\.000Z +- +-$/m);
  expect(page).toContain("Restricted the journal was unreadable\n");
  expect(page).toContain("Watchdog   none is seen\n");
  expect(fleetPage(fleetOf(), { wide: true })).toContain("No incidents.\n");
});

test("an engine's page leaves out what is unknown", () => {
  const page = enginePage(
    {
      ...processOf({ name: "decode", role: "decode", load: { running: 3 } }),
      logFile: "/l",
      verdicts: [wedge],
      incidents: [],
    },
    { nowMs: 2_000 },
  );
  expect(page).toContain("Running    running 3\n");
  expect(page).toContain("Sample     none\n");
  expect(page).toContain("Verdict    wedge (transfer-stall) of request 4f0c");
  expect(page).not.toMatch(/^(KV|Inflight|Queues) /m);
});

test("an incident's page goes from what was seen to what was done", () => {
  const at = "2026-01-01T00:00:00.000Z";
  const action = {
    ...{ id: "a1", action: "fail" as const, target: "request 4f0c" as const, epoch: 1, by: "healer" as const },
    ...{ why: "it does not move", effect: "it ends", settleMs: 5_000 },
  };
  const outcome = {
    actionId: "a1",
    outcome: "done" as const,
    atMs: 1,
    words: "failed on both",
    details: ["prefill: 3 pages"],
  };
  const incident = { id: "i1", subject: "request 4f0c", verdict: "wedge" as const, since: at };
  const open = incidentPage({ ...incident, verdicts: [{ at, verdict: wedge }], actions: [{ at, action, outcome }] });
  expect(open).toContain("Ended      it goes on\nTo do      pdctl fail req 4f0c");
  expect(open).toContain(
    `${at}\nAction     fail request 4f0c, by healer\nWhy        it does not move\nOutcome    done: failed on both\n           prefill: 3 pages\n`,
  );
  expect(incidentPage({ ...incident, ended: at, healSeconds: 63, verdicts: [], actions: [] })).toContain(
    `Ended      ${at}\nHealed in  1 m 03 s\n`,
  );
});

test("a request's page has the steps of all its processes in order, and the verdict", () => {
  const began = record("4f0c", [["bootstrap", 0]]).arrivedUnixMs;
  const detail: RequestDetail = {
    request: {
      ...{ id: "4f0c", stage: "transfer", live: true, arrived: "2026-01-01T00:00:00.000Z", ageMs: 1, spans: [] },
    },
    router: {
      ...{ id: "4f0c", prefill: "prefill", decode: "decode", attempt: 2, path: "/v1/completions", stream: false },
      ...{ arrivedUnixMs: began - 2, ageMs: 1, bytes: 0, committed: false, outcome: "open" },
    },
    legs: [
      { engine: "decode", record: record("4f0c", [["prealloc", 1]]) },
      { engine: "prefill", record: record("4f0c", [["bootstrap", 0]]) },
    ],
    unanswered: [],
    verdicts: [wedge],
  };
  const page = requestPage(detail, { nowMs: 2_000 });
  expect(page).toMatch(/router +sent to prefill and decode, attempt 2\n.*prefill +bootstrap.*\n.*decode +prealloc/);
  expect(page).toContain("To do      pdctl fail req 4f0c");
});

test("an event is a line for people, a line of JSON, or a document of YAML", () => {
  const event = eventOf({ severity: "critical", words: "wedge" });
  expect(eventText(event, "table")).toBe("2026-01-01T00:00:00.000Z  CRITICAL  decode          wedge\n");
  expect(JSON.parse(eventText(event, "json"))).toEqual(event);
  expect(eventText(event, "yaml")).toMatch(/^---\nid: 1\n/);
});
