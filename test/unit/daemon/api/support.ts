import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ActionView } from "../../../../src/contract/action.ts";
import type { FleetEvent, LiveView } from "../../../../src/contract/events.ts";
import type { FleetView } from "../../../../src/contract/fleet.ts";
import type { Incident } from "../../../../src/contract/incident.ts";
import type { Observation } from "../../../../src/contract/observation.ts";
import type { Wish } from "../../../../src/contract/wishes.ts";
import type { ApiParts, Wished } from "../../../../src/daemon/api/parts.ts";
import { type Api, serveApi } from "../../../../src/daemon/api/server.ts";
import { Hub } from "../../../../src/daemon/hub.ts";
import { mergeRequests } from "../../../../src/daemon/poller/merge-requests.ts";
import { record, routed } from "../poller/records.ts";

export const view: FleetView = {
  fleet: "demo",
  state: "ready",
  epoch: 1,
  model: "smollm2-135m",
  url: "http://127.0.0.1:1",
  daemon: { pid: 1, since: "2026-01-01T00:00:00.000Z", tickAgeS: 0.5 },
  engines: [{ name: "p0", role: "prefill", driver: "native", state: "ready", generation: 1 }],
  router: { name: "router", role: "router", driver: "embedded", state: "ready", generation: 1 },
  edges: [],
  incidents: [],
};

export const action: ActionView = {
  action: {
    id: "a1",
    action: "fail",
    target: "request abc",
    epoch: 1,
    by: "operator",
    why: "asked for",
    effect: "it is gone",
    settleMs: 0,
  },
};

export const incident: Incident = {
  id: "i1",
  subject: "request abc",
  verdict: "wedge",
  cause: "orphan",
  since: "2026-01-01T00:00:00.000Z",
  verdicts: [],
  actions: [{ at: "2026-01-01T00:00:01.000Z", ...action }],
};

export function event(id: number): FleetEvent {
  return { id, at: "", atMs: id, kind: "verdict", subject: "request abc", words: "wedge", severity: "critical" };
}

/** An API over a real socket, with what it reads and the wishes that it leaves at hand. */
export class ServedApi {
  readonly folder = mkdtempSync(join(tmpdir(), "pdctl-api-"));
  readonly socket = join(this.folder, "daemon.sock");
  readonly wishes: Wish[] = [];
  readonly mistakes: unknown[] = [];
  readonly events: Hub<FleetEvent>;
  readonly views: Hub<LiveView>;
  readonly observations: Hub<Observation>;
  view: FleetView = view;
  wished: Wished = { kind: "accepted", action: "a1" };
  requestsFail = false;
  #api: Api | undefined;

  constructor() {
    const onMistake = (error: unknown): void => void this.mistakes.push(error);
    this.events = new Hub(onMistake);
    this.views = new Hub(onMistake);
    this.observations = new Hub(onMistake);
  }

  async start(): Promise<void> {
    this.#api = await serveApi(this.socket, { ...this.#parts(), onMistake: (error) => this.mistakes.push(error) });
  }

  async keepSocket(): Promise<boolean> {
    return (await this.#api?.keepSocket()) ?? false;
  }

  async end(): Promise<void> {
    await this.#api?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #parts(): ApiParts {
    return {
      fleet: () => this.view,
      health: () => ({ status: "OK", fleet: "demo", summary: "all is well", ageS: 0, problems: [], perfdata: {} }),
      requests: async () => {
        if (this.requestsFail) throw new Error("a bug");
        const records = [record("abc", [["running", 1_000]]), record("abd", [["waiting", 1_000]])];
        const engines = [{ name: "p0", role: "prefill" as const, records }];
        const router = [routed("abc", { earlier: ["old-abc"] })];
        return { details: mergeRequests({ engines, router }, 2_000), unanswered: [] };
      },
      engine: (name) => {
        const found = view.engines.find((one) => one.name === name);
        return found && { ...found, logFile: "p0.log", verdicts: [], incidents: [] };
      },
      incidents: () => [incident],
      action: (id) => (id === "a1" ? action : undefined),
      wish: async (wish) => {
        this.wishes.push(wish);
        return this.wished;
      },
      eventsSince: (since) => [1, 2, 3].filter((id) => !("id" in since) || id > since.id).map(event),
      events: this.events.source,
      views: this.views.source,
      fleetLine: () => ({ kind: "fleet", version: 1, engines: [], policy: {}, facts: {} }),
      observations: this.observations.source,
      keptWords: "records are kept for a while",
    };
  }
}
