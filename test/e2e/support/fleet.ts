import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FleetView } from "../../../src/contract/fleet.ts";
import { askDaemon } from "./daemon.ts";
import { EngineAdmin } from "./engine-admin.ts";
import { environment, pdctl } from "./environment.ts";
import { filesIn, makeHome, removeHome } from "./home.ts";
import { modelPath } from "./model.ts";
import { processesOf } from "./processes.ts";
import { Running } from "./running.ts";
import { until } from "./until.ts";

export type FleetOptions = {
  /** Lines of YAML besides the engines, the router and the name. */
  readonly config?: readonly string[];
  readonly allowFaults?: boolean;
  /** More keys of the decode engine, e.g. "pool: 32MiB". */
  readonly decode?: string;
  readonly env?: Readonly<Record<string, string>>;
};

/** A whole fleet under `pdctl up --foreground`, in a home of its own. */
export class Fleet {
  readonly home: string;
  readonly env: Record<string, string>;
  readonly daemon: Running;
  url = "";

  private constructor(home: string, env: Record<string, string>, daemon: Running) {
    this.home = home;
    this.env = env;
    this.daemon = daemon;
  }

  static async start(options: FleetOptions = {}): Promise<Fleet> {
    const home = makeHome();
    await modelPath(home);
    const file = join(home, "pdctl.yaml");
    writeFileSync(file, configOf(options), { mode: 0o600 });
    const env = environment(home, options.env);
    const fleet = new Fleet(home, env, new Running(pdctl, ["up", "--foreground", "-f", file], { env }));
    try {
      await fleet.#ready();
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

  async view(): Promise<FleetView> {
    return await askDaemon(this.socket);
  }

  async pidOf(name: string): Promise<number> {
    const pid = (await this.view()).engines.find((engine) => engine.name === name)?.pid;
    if (pid === undefined) throw new Error(`engine ${name} has no process`);
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
    await this.daemon.end();
    for (const { pid } of processesOf(this.home)) process.kill(pid, "SIGKILL");
    await until("the fleet's processes to be gone", 20_000, () =>
      processesOf(this.home).length === 0 ? true : undefined,
    );
    removeHome(this.home);
  }

  /** The tails of everything that its processes have written. */
  said(): string {
    const logs = filesIn(this.home).filter((name) => name.endsWith(".log"));
    const tails = logs.map((name) => `--- ${name}\n${readFileSync(join(this.home, name), "utf8").slice(-3000)}`);
    return [this.daemon.said(), ...tails].join("\n");
  }

  async #ready(): Promise<void> {
    this.url = await until("the fleet to be ready", 120_000, async () => {
      if (this.daemon.over) throw new Error("'pdctl up --foreground' ended before the fleet was ready");
      if (!existsSync(this.socket)) return undefined;
      const view = await askDaemon(this.socket).catch(() => undefined); // the socket is there before it answers
      return view?.state === "ready" ? view.url : undefined;
    });
  }

  #secret(): string {
    const file = readdirSync(this.home, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith("secret"));
    if (file === undefined) throw new Error(`no secret below ${this.home}`);
    return readFileSync(join(this.home, file), "utf8").trim();
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
    ...config,
    "",
  ].join("\n");
}
