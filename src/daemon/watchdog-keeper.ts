import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { FleetView } from "../contract/fleet.ts";
import { type Identity, identitySchema } from "../contract/run-record.ts";
import type { SavedFleet } from "../contract/saved-fleet.ts";
import type { Clock } from "../lib/clock.ts";
import { jsonIn } from "../lib/json-in.ts";
import type { Log } from "../lib/log.ts";
import type { Places } from "../lib/places.ts";
import { bootId } from "../lib/processes.ts";
import { isLiving, signalMembers } from "../lib/shim.ts";
import { until } from "../lib/wait.ts";
import type { Happening } from "./event-log.ts";
import { WatchdogWords } from "./watchdog-words.ts";

export type KeeperParts = {
  readonly places: Places;
  readonly saved: SavedFleet;
  readonly clock: Clock;
  readonly log: Log;
  readonly tell: (happening: Happening) => void;
  /** What the watchdog said before has been told. ISO 8601. */
  readonly toldUntil: string;
};

/** Each look reads two small files. */
const lookEveryMs = 1_000;
/** One that has not beaten for that long, while this process was awake, hangs. */
const silentMs = 15_000;
/** One that ends at once is not started without a pause; a new one takes a moment until it is on record. */
const startEveryMs = 5_000;
const endLimitMs = 5_000;

const recordSchema = identitySchema.extend({ bootId: z.string() });

/** Sees to it that a watchdog runs: one that is gone or hangs is replaced. */
export class WatchdogKeeper {
  readonly #parts: KeeperParts;
  readonly #words: WatchdogWords;
  #lookMs: number | undefined;
  #startMs: number | undefined;
  #who: Identity | undefined;
  #beat: string | undefined;
  #stillMs = 0;
  #ending: Promise<void> | undefined;
  #child: ChildProcess | undefined;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#words = new WatchdogWords(join(parts.places.logs, "watchdog.log"), parts.toldUntil);
  }

  /** Called each tick; nothing here waits. */
  look(): void {
    const nowMs = this.#parts.clock.nowMs();
    const stepMs = this.#lookMs === undefined ? 0 : nowMs - this.#lookMs;
    if (this.#lookMs !== undefined && stepMs < lookEveryMs) return;
    this.#lookMs = nowMs;
    for (const said of this.#words.take()) this.#parts.tell(said);
    const who = this.#onRecord();
    if (who === undefined) {
      this.#start(nowMs);
      return;
    }
    // What this process slept through it has not watched.
    this.#feel(who, Math.min(stepMs, 2 * lookEveryMs));
    if (this.#stillMs >= silentMs) this.#replace(who);
  }

  seen(): FleetView["watchdog"] {
    const beatMs = Number(beatIn(this.#parts.places.watchdogHeartbeat) ?? Number.NaN);
    if (this.#who === undefined || Number.isNaN(beatMs)) return undefined;
    return { pid: this.#who.pid, last_seen_s: Math.max(0, this.#parts.clock.nowMs() - beatMs) / 1_000 };
  }

  /** Ends it, because the fleet has ended. */
  async end(): Promise<void> {
    await this.#ending;
    const who = this.#onRecord();
    const child = this.#child;
    const gone = (): true | undefined => {
      const isThere = (who !== undefined && isLiving(who)) || (child !== undefined && isRunning(child));
      return isThere ? undefined : true;
    };
    const signal = async (name: "SIGTERM" | "SIGKILL"): Promise<void> => {
      if (who !== undefined) await signalMembers([who], name);
      // One that has just been started is not on record yet. It is this process's child, so its number is its own.
      if (child !== undefined && isRunning(child)) child.kill(name);
      await until(gone, { everyMs: 20, limitMs: endLimitMs, signal: AbortSignal.timeout(2 * endLimitMs) });
    };
    await signal("SIGTERM");
    if (gone() === undefined) await signal("SIGKILL");
    rmSync(this.#recordFile(), { force: true });
    rmSync(this.#parts.places.watchdogHeartbeat, { force: true });
  }

  #onRecord(): Identity | undefined {
    const found = recordSchema.safeParse(jsonIn(this.#recordFile())).data;
    if (found === undefined || found.bootId !== bootId() || !isLiving(found)) return undefined;
    return { pid: found.pid, startTicks: found.startTicks };
  }

  #recordFile(): string {
    return join(this.#parts.places.run, "watchdog.json");
  }

  #feel(who: Identity, stepMs: number): void {
    const beat = beatIn(this.#parts.places.watchdogHeartbeat);
    const isSame = this.#who?.pid === who.pid && this.#who.startTicks === who.startTicks;
    if (!isSame) this.#say(`the watchdog is process ${who.pid}`, "ok");
    this.#stillMs = isSame && beat === this.#beat ? this.#stillMs + stepMs : 0;
    this.#who = who;
    this.#beat = beat;
  }

  #start(nowMs: number): void {
    if (this.#startMs !== undefined && nowMs - this.#startMs < startEveryMs) return;
    if (this.#who !== undefined) this.#say(`the watchdog (process ${this.#who.pid}) is gone: started again`, "warning");
    this.#who = undefined;
    this.#startMs = nowMs;
    const { places, saved, log } = this.#parts;
    const [program = "", ...script] = saved.self;
    const args = [...script, "watchdog", "--fleet", places.fleet, "--socket", places.socket];
    const talk = openSync(join(places.logs, "watchdog.out"), "w", 0o600);
    const child = spawn(program, args, { cwd: saved.cwd, detached: true, stdio: ["ignore", talk, talk] });
    closeSync(talk);
    child.on("error", (error) => log.error({ error }, "the watchdog cannot be started"));
    child.unref();
    this.#child = child;
  }

  #replace(who: Identity): void {
    if (this.#ending !== undefined) return;
    this.#say(`the watchdog (process ${who.pid}) has been silent for ${silentMs / 1_000} s: replaced`, "warning");
    this.#ending = signalMembers([who], "SIGKILL").then(
      () => {
        this.#ending = undefined;
        this.#stillMs = 0;
      },
      (error: unknown) => {
        this.#ending = undefined;
        this.#parts.log.error({ error }, "the watchdog cannot be ended");
      },
    );
  }

  #say(words: string, severity: Happening["severity"]): void {
    this.#parts.log.info(words);
    this.#parts.tell({ kind: "watchdog", subject: "watchdog", words, severity });
  }
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

function beatIn(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
