import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FleetView } from "../../../src/contract/fleet.ts";
import { askDaemon } from "./daemon.ts";
import { EngineAdmin } from "./engine-admin.ts";
import { environment, pdctl } from "./environment.ts";
import { filesIn, makeHome, removeHome } from "./home.ts";
import { modelPath } from "./model.ts";
import { processesOf } from "./processes.ts";
import { type Finished, finished } from "./running.ts";
import { until } from "./until.ts";

export type FleetOptions = {
  /** Lines of YAML besides the engines, the router and the name. */
  readonly config?: readonly string[];
  readonly allowFaults?: boolean;
  /** More keys of the decode engine, e.g. "pool: 32MiB". */
  readonly decode?: string;
  readonly env?: Readonly<Record<string, string>>;
};

/** A whole fleet under `pdctl up`, in a home of its own: daemon, watchdog, prefill, decode and router. */
export class Fleet {
  readonly home: string;
  readonly file: string;
  readonly env: Record<string, string>;
  url = "";

  private constructor(home: string, options: FleetOptions) {
    this.home = home;
    this.file = join(home, "pdctl.yaml");
    this.env = environment(home, options.env);
    writeFileSync(this.file, configOf(options), { mode: 0o600 });
  }

  /** A home with its configuration and a model; nothing runs yet. */
  static async prepare(options: FleetOptions = {}): Promise<Fleet> {
    const home = makeHome();
    await modelPath(home);
    return new Fleet(home, options);
  }

  static async start(options: FleetOptions = {}): Promise<Fleet> {
    const fleet = await Fleet.prepare(options);
    try {
      const up = await fleet.cli(["up", "-f", fleet.file], 180_000);
      if (up.code !== 0) throw new Error(`pdctl up ended with ${up.code}\n${up.stderr}`);
      fleet.url = (await fleet.view()).url ?? "";
      return fleet;
    } catch (error) {
      const words = `${String(error)}\n${fleet.said()}`;
      await fleet.end();
      throw new Error(words);
    }
  }

  get socket(): string {
    return join(this.home, "demo.sock");
  }

  get state(): string {
    return join(this.home, "demo");
  }

  /** Runs a command of pdctl against this fleet, to its end. */
  async cli(args: readonly string[], limitMs = 60_000): Promise<Finished> {
    return await finished(pdctl, args, { env: this.env }, limitMs);
  }

  async view(): Promise<FleetView> {
    return await askDaemon(this.socket);
  }

  /** Waits for a view that the daemon, or the one after it, gives. */
  async seen<T>(what: string, limitMs: number, ask: (view: FleetView) => T | undefined): Promise<T> {
    return await until(what, limitMs, async () => {
      const view = await this.view().catch(() => undefined); // between two daemons nobody answers
      return view === undefined ? undefined : ask(view);
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${this.said()}`);
    });
  }

  async pidOf(name: string): Promise<number> {
    const { router, engines } = await this.view();
    const pid = [router, ...engines].find((one) => one.name === name)?.pid;
    if (pid === undefined) throw new Error(`${name} has no process`);
    return pid;
  }

  async engine(name: string): Promise<EngineAdmin> {
    const url = (await this.view()).engines.find((engine) => engine.name === name)?.url;
    if (url === undefined) throw new Error(`engine ${name} has no url`);
    return new EngineAdmin(url, this.#secret());
  }

  /** What the router and pdctl itself send to be let in. */
  secretHeader(): Record<string, string> {
    return { "x-pdctl-secret": this.#secret() };
  }

  async engines(): Promise<{ prefill: EngineAdmin; decode: EngineAdmin }> {
    return { prefill: await this.engine("prefill"), decode: await this.engine("decode") };
  }

  /** Ends whatever is left of it, by the ids of its own processes, and takes its home away. */
  async end(): Promise<void> {
    await this.cli(["down", "--now"]).catch(() => undefined); // a test may have left nothing that could
    await until("the fleet's processes to be gone", 30_000, () => {
      const left = processesOf(this.home);
      for (const { pid } of left) kill(pid);
      return left.length === 0 ? true : undefined;
    });
    removeHome(this.home);
  }

  /** The tails of everything that its processes have written. */
  said(): string {
    const logs = filesIn(this.home).filter((name) => /\.(log|out)$/.test(name) && !name.endsWith("intents.log"));
    return logs.map((name) => `--- ${name}\n${readFileSync(join(this.home, name), "utf8").slice(-3000)}`).join("\n");
  }

  #secret(): string {
    return readFileSync(join(this.state, "secret"), "utf8").trim();
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself between the look and the signal.
  }
}

function configOf({ config = [], allowFaults = false, decode }: FleetOptions): string {
  const faults = allowFaults ? ", allow-faults: true" : "";
  const more = decode === undefined ? "" : `, ${decode}`;
  return [
    "fleet: demo",
    "engines:",
    `  - {name: prefill, role: prefill, driver: native${faults}}`,
    `  - {name: decode, role: decode, driver: native${faults}${more}}`,
    "router: {driver: embedded, listen: 127.0.0.1:0}",
    "metrics: {listen: 127.0.0.1:0}",
    // One more request at a moment of its own would disturb what a test counts.
    ...(config.some((line) => line.startsWith("canary:")) ? [] : ["canary: {every: off}"]),
    ...config,
    "",
  ].join("\n");
}
