import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Action, Outcome } from "../../../../src/contract/action.ts";
import { fleetConfigSchema } from "../../../../src/contract/config.ts";
import type { Observation } from "../../../../src/contract/observation.ts";
import type { SavedFleet } from "../../../../src/contract/saved-fleet.ts";
import { endRun } from "../../../../src/daemon/supervisor/end-run.ts";
import type { ProcessEntry } from "../../../../src/daemon/supervisor/process-table.ts";
import { Supervisor, type SupervisorOptions, type Words } from "../../../../src/daemon/supervisor/supervisor.ts";
import { systemClock } from "../../../../src/lib/clock.ts";
import { fileLog } from "../../../../src/lib/log.ts";
import { type Places, placesOf } from "../../../../src/lib/places.ts";
import { runFiles } from "../../../../src/lib/run-files.ts";
import { runningShims } from "../../../../src/lib/running-shims.ts";
import { pause } from "../../../../src/lib/wait.ts";

const never = new AbortController().signal;
const limitMs = 60_000;
const fixtures = join(import.meta.dirname, "../../../fixtures");

/** A fleet of stand-ins in a folder of its own, under real shims. */
export class FleetUnderTest {
  readonly folder = mkdtempSync(join(tmpdir(), "pdctl-supervisor-"));
  readonly places: Places = placesOf("t", { env: { PDCTL_HOME: this.folder }, home: this.folder, isRoot: false });
  readonly saved: SavedFleet;
  readonly outcomes: Outcome[] = [];
  readonly seen: Observation[] = [];
  readonly words: Words[] = [];
  looks: SupervisorOptions["look"] = async () => undefined;
  holdsLock = true;
  secret = "s".repeat(32);
  supervisor: Supervisor | undefined;
  #owner: ChildProcess | undefined;

  constructor({ env = {}, engines = {} }: { env?: Record<string, string>; engines?: Record<string, unknown> } = {}) {
    for (const path of [this.places.run, this.places.logs]) mkdirSync(path, { recursive: true, mode: 0o700 });
    const config = fleetConfigSchema.parse({
      engines: ["prefill", "decode"].map((role) => ({ name: role, role, driver: "native", ...engines })),
      router: { listen: "127.0.0.1:0" },
    });
    this.saved = {
      ...{ version: 1, config, models: { prefill: "/m.gguf", decode: "/m.gguf" }, cwd: this.folder },
      self: [process.execPath, join(fixtures, "stands-in.mjs")],
      env: { CALLS: join(this.folder, "calls"), ...env },
      ...{ socket: this.places.socket, startTimeoutMs: limitMs },
    };
    writeFileSync(this.places.intent, '{"wish":"up","epoch":1}\n');
    writeFileSync(join(this.folder, "calls"), "");
  }

  async open(): Promise<Supervisor> {
    this.supervisor = await Supervisor.open({
      ...{ places: this.places, saved: this.saved, secret: this.secret, clock: systemClock },
      log: fileLog(join(this.places.logs, "daemon.log")),
      look: async (name, signal) => await this.looks(name, signal),
      holdsLock: () => this.holdsLock,
    });
    return this.supervisor;
  }

  /** Begins actions and waits for the outcome of the last one. */
  async run(...actions: Action[]): Promise<Outcome> {
    this.supervisor?.begin(actions);
    return await this.outcomeOf(actions.at(-1)?.id ?? "");
  }

  async outcomeOf(id: string): Promise<Outcome> {
    return await this.until(() => this.outcomes.find(({ actionId }) => actionId === id));
  }

  /** Ticks until there is an answer. */
  async until<T>(ask: () => T | undefined): Promise<T> {
    for (const endMs = performance.now() + limitMs; performance.now() < endMs; await pause(20, never)) {
      this.supervisor?.begin([]);
      const taken = this.supervisor?.take();
      this.outcomes.push(...(taken?.outcomes ?? []));
      this.seen.push(...(taken?.seen ?? []));
      this.words.push(...(taken?.words ?? []));
      const answer = ask();
      if (answer !== undefined) return answer;
    }
    throw new Error(`nothing came of it; calls:\n${this.calls().join("\n")}`);
  }

  entry(name: string): ProcessEntry {
    const found = this.supervisor?.view().processes.find(({ spec }) => spec.name === name);
    if (found === undefined) throw new Error(name);
    return found;
  }

  calls(): string[] {
    return readFileSync(join(this.folder, "calls"), "utf8").trimEnd().split("\n");
  }

  /** Another process that owns the fleet; it prints its outcomes, and is killed with `killOwner`. */
  async own(actions: readonly Action[], env: Record<string, string> = {}): Promise<ChildProcess> {
    const file = join(this.folder, "owner.json");
    writeFileSync(file, JSON.stringify({ places: this.places, saved: this.saved, actions }));
    this.#owner = spawn(process.execPath, [join(fixtures, "owns-fleet.ts"), file], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(this.#owner, "spawn");
    return this.#owner;
  }

  /** Ends everything that was started here. */
  async close(): Promise<void> {
    this.#owner?.kill("SIGKILL");
    this.supervisor?.close();
    const files = existsSync(this.places.run) ? readdirSync(this.places.run) : [];
    const launched = files.filter((file) => file.endsWith(".launch")).map((file) => file.slice(0, -".launch".length));
    for (const name of new Set([...launched, ...runningShims(this.places.run).map((shim) => shim.name)])) {
      await endRun(runFiles(this.places, name), {
        ...{ graceMs: 0, now: AbortSignal.abort(), mayAct: () => undefined },
      });
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export function actionOf(id: string, fields: Pick<Action, "action" | "target"> & Partial<Action>): Action {
  return { id, epoch: 1, by: "operator", why: "a test", effect: "", settleMs: 0, ...fields };
}

export async function firstLine(process: ChildProcess): Promise<string> {
  for await (const part of process.stdout ?? []) return String(part).trim();
  return "";
}
