import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Identity } from "../../../../src/contract/run-record.ts";
import { systemClock } from "../../../../src/lib/clock.ts";
import { writeLaunchFile } from "../../../../src/lib/launch-file.ts";
import { type Places, placesOf } from "../../../../src/lib/places.ts";
import { makePrivateFolder } from "../../../../src/lib/private-files.ts";
import {
  descendants,
  isLiving,
  type RunRecord,
  readRunRecord,
  signalMembers,
  startShim,
} from "../../../../src/lib/shim.ts";
import { until } from "../../../../src/lib/wait.ts";

/** Long enough for any machine; reached only where something is wrong. */
const patienceMs = 28_000;
const fixtures = join(process.cwd(), "test/fixtures");
const names = ["prefill", "decode", "router"] as const;
type Name = (typeof names)[number];

/** A small fleet of stand-ins under real shims, with a stand-in daemon, in a folder of its own. */
export class WatchedFleet {
  readonly home = mkdtempSync(join(tmpdir(), "pdctl-watch-"));
  readonly places: Places = placesOf("f", { env: { PDCTL_HOME: this.home }, home: "/nowhere", isRoot: false });
  readonly #watchdogs: ChildProcess[] = [];

  constructor({ act }: { readonly act?: readonly string[] } = {}) {
    for (const folder of [this.places.state, this.places.run, this.places.logs]) makePrivateFolder(folder);
    writeFileSync(this.places.secret, "0123456789abcdef0123456789abcdef\n");
    this.wish("up");
    const policy = { poll: "100ms", ...(act === undefined ? {} : { act }) };
    const self = [process.execPath, join(fixtures, "watched-daemon.ts"), this.places.state];
    const saved = { version: 1, config: { fleet: "f", policy }, models: {}, self, cwd: this.home, env: {} };
    writeFileSync(this.places.saved, JSON.stringify({ ...saved, socket: this.places.socket, startTimeoutMs: 60_000 }));
  }

  wish(wish: string): void {
    writeFileSync(this.places.intent, JSON.stringify({ wish, epoch: 2 }));
  }

  async startEngines({ stubborn = false } = {}): Promise<void> {
    for (const name of names) {
      const args = [process.execPath, join(fixtures, "watched-engine.mjs"), name, this.places.run];
      const { run, logs } = this.places;
      writeLaunchFile(join(run, `${name}.launch`), {
        ...{ name, generation: 1, cwd: this.home, log: join(logs, `${name}.log`), logBytes: 100_000, logFiles: 2 },
        ...{ record: join(run, `${name}.json`), graceMs: 1_000, env: {} },
        args: stubborn ? [...args, "stubborn"] : args,
      });
      await startShim(join(run, `${name}.launch`));
    }
    await this.until(() => names.every((name) => existsSync(join(this.places.run, `${name}.ready`))));
  }

  /** Starts a daemon and waits until it has beaten. */
  async startDaemon(): Promise<Identity> {
    spawn(process.execPath, [join(fixtures, "watched-daemon.ts"), this.places.state], { stdio: "ignore" }).unref();
    await this.until(() => existsSync(this.places.heartbeat));
    return this.daemon();
  }

  startWatchdog(env: Readonly<Record<string, string>> = {}): ChildProcess {
    const limits = "heartbeat=1500ms first-beat=10s hard=800ms quiet=500ms effect=1500ms co-restart-every=1h";
    const child = spawn(process.execPath, [join(fixtures, "runs-watchdog.ts"), "f"], {
      env: { PDCTL_HOME: this.home, PDCTL_TEST_LIMITS: "1", PDCTL_TEST_WATCHDOG: limits, ...env },
      stdio: ["ignore", "ignore", "inherit"],
    });
    this.#watchdogs.push(child);
    return child;
  }

  daemon(): Identity {
    return JSON.parse(readFileSync(join(this.places.run, "daemon.json"), "utf8")) as Identity;
  }

  record(name: Name): RunRecord {
    const found = readRunRecord(join(this.places.run, `${name}.json`));
    if (found === undefined) throw new Error(`no record of ${name}`);
    return found;
  }

  /** Asks a stand-in for something that only tests ask for. */
  async ask(name: Name, path: string, body: unknown = {}): Promise<void> {
    const { url } = JSON.parse(readFileSync(join(this.places.run, `${name}.ready`), "utf8")) as { url: string };
    await (await fetch(url + path, { method: "POST", body: JSON.stringify(body) })).text();
  }

  /** Which control routes were asked, in order. */
  calls(name: Name): { readonly call: string; readonly body?: Record<string, unknown> }[] {
    return this.lines(join("run", `${name}.calls`)).map((line) => JSON.parse(line));
  }

  lines(path: string): string[] {
    const file = join(this.places.state, path);
    return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  }

  /** Until the watchdog has gone on with its rounds for that long. */
  async watchedFor(ms: number): Promise<void> {
    const endMs = systemClock.nowMs() + ms;
    await this.until(() => Number(this.lines(join("run", "watchdog.heartbeat"))[0] ?? 0) >= endMs);
  }

  async until(ask: () => boolean): Promise<void> {
    const signal = AbortSignal.timeout(patienceMs);
    const done = await until(() => ask() || undefined, { everyMs: 20, limitMs: patienceMs, signal });
    if (done === undefined)
      throw new Error(`it did not come to pass; the log: ${this.lines("logs/watchdog.log").join("\n")}`);
  }

  async end(): Promise<void> {
    for (const child of this.#watchdogs) child.kill("SIGKILL");
    this.wish("down");
    await this.until(() =>
      this.#watchdogs.every(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null),
    );
    if (existsSync(join(this.places.run, "daemon.json"))) await signalMembers([this.daemon()], "SIGKILL");
    for (const name of names) {
      const record = readRunRecord(join(this.places.run, `${name}.json`));
      if (record === undefined) continue;
      await signalMembers(descendants(record.shim), "SIGKILL");
      await this.until(() => !isLiving(record.shim));
    }
    rmSync(this.home, { recursive: true, force: true });
  }
}
