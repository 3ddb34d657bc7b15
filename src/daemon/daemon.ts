import { join } from "node:path";
import type { PdctlError } from "../contract/errors.ts";
import { Heartbeat } from "../lib/heartbeat.ts";
import type { Log } from "../lib/log.ts";
import { bootId } from "../lib/processes.ts";
import { type Api, serveApi } from "./api/server.ts";
import { broughtBack } from "./brought-back.ts";
import { exported } from "./figures.ts";
import { firstWords } from "./first-words.ts";
import { fleetLineOf } from "./fleet-line.ts";
import type { ViewGround } from "./fleet-view.ts";
import type { Ground } from "./ground.ts";
import { drainUsualMs } from "./intent.ts";
import { Thinner } from "./journal/thin.ts";
import { Loop, type Turn } from "./loop.ts";
import type { DaemonOptions } from "./options.ts";
import { type Organs, openOrgans } from "./organs.ts";
import { Outlook } from "./outlook.ts";
import { OwnFiles } from "./own-files.ts";
import { Pace } from "./pace.ts";
import { Recorder } from "./recorder.ts";
import type { FleetState } from "./state.ts";
import { Talk } from "./talk.ts";
import { WatchdogKeeper } from "./watchdog-keeper.ts";
import { WishBox } from "./wish-box.ts";

export type DaemonParts = { readonly options: DaemonOptions; readonly ground: Ground; readonly log: Log };

// Somebody may take the socket away, or other files by which the daemon and the fleet are found.
const keepEveryMs = 5_000;

/** The daemon of one fleet: it turns the loop, and tells everyone who lives with it of each turn. */
export class Daemon {
  readonly #parts: DaemonParts;
  readonly #organs: Organs;
  readonly #pace: Pace;
  readonly #wishes: WishBox;
  readonly #outlook: Outlook;
  readonly #recorder: Recorder;
  readonly #keeper: WatchdogKeeper;
  readonly #talk: Talk;
  readonly #loop: Loop;
  readonly #heartbeat: Heartbeat;
  #api: Api | undefined;
  readonly #files: OwnFiles;
  #keptMs = 0;

  static async open(parts: DaemonParts): Promise<Daemon> {
    const { log, options } = parts;
    const pace = new Pace(options.saved.config.policy.poll, options.clock);
    const daemon = new Daemon(parts, await openOrgans({ ...parts, onEnd: () => pace.wake() }), pace);
    try {
      daemon.#api = await serveApi(options.places.socket, {
        ...daemon.#outlook.api(),
        onMistake: (error) => log.error({ error }, "a route failed"),
      });
      return daemon;
    } catch (error) {
      await daemon.close();
      throw error;
    }
  }

  private constructor(parts: DaemonParts, organs: Organs, pace: Pace) {
    const { options, ground, log } = parts;
    const { places, saved, clock } = options;
    this.#parts = parts;
    this.#organs = organs;
    this.#pace = pace;
    this.#wishes = new WishBox(() => pace.wake());
    const { state, unknown, eventLog } = broughtBack(organs, options);
    this.#files = new OwnFiles({ places, saved, log, ...ground }, state.desired);
    this.#talk = new Talk({ ...options, giveUp: () => this.#stop({ drainMs: 0, now: true }) });
    this.#recorder = new Recorder({
      ...{ journal: organs.journal, thinner: new Thinner(), events: eventLog, clock, log, bootId: bootId() },
      onEvent: (event) => {
        this.#outlook.tellEvent(event);
        this.#talk.hear(event);
      },
    });
    this.#keeper = new WatchdogKeeper({
      ...{ places, saved, clock, log, toldUntil: eventLog.latestAt },
      tell: (one) => this.#recorder.tell(one),
    });
    this.#outlook = new Outlook({
      ...{ state: () => this.#loop.state, eventLog, clock, wishes: this.#wishes, secret: ground.secret },
      ground: this.#viewGround(),
      host: () => organs.host.latest(),
      fleetLine: fleetLineOf(saved.config),
      onMistake: (error) => log.error({ error }, "a reader could not be told"),
    });
    this.#loop = new Loop(
      {
        ...{ ...organs, wishes: this.#wishes, lock: ground.lock, config: saved.config, clock, log },
        record: (turn) => this.#record(turn),
        finished: (turn) => this.#finished(turn),
      },
      state,
      unknown,
    );
    this.#heartbeat = new Heartbeat(places.heartbeat);
    for (const one of firstWords(state, organs)) this.#recorder.tell(one);
  }

  /** Ticks until the fleet has ended, as was wished, or this process is to leave it. */
  async run(): Promise<"ended" | "left"> {
    const { signals, onStop, clock } = this.#parts.options;
    const wake = (): void => this.#pace.wake();
    const down = (now: boolean) => (): void => this.#stop({ drainMs: now ? 0 : drainUsualMs, now });
    hear(signals.stop, onStop === "leave" ? wake : down(false));
    hear(signals.now, onStop === "leave" ? wake : down(true));
    for (;;) {
      if (onStop === "leave" && signals.stop.aborted) return "left";
      if (this.#loop.tick()) this.#heartbeat.beat(clock.nowMs());
      if (isOver(this.#loop.state)) return "ended";
      await this.#pace.next();
    }
  }

  /** Why the fleet was given up, where that is how it ended. */
  get failure(): PdctlError | undefined {
    return this.#talk.failure;
  }

  /** Who watched the fleet ends with this daemon. */
  async endWatchdog(): Promise<void> {
    await this.#keeper.end();
  }

  /** Lets go of everything. Engines and router run on. */
  async close(): Promise<void> {
    this.#wishes.close();
    await this.#api?.close();
    await this.#organs.close();
    this.#heartbeat.close();
  }

  #viewGround(): ViewGround {
    const { places, saved, clock } = this.#parts.options;
    const { config } = saved;
    return {
      ...{ fleet: places.fleet, model: config.model, policy: config.policy, clock },
      daemon: { pid: process.pid, since: new Date(clock.wallMs()).toISOString() },
      logFileOf: (name) => join(places.logs, `${name}.log`),
      metrics: () => this.#organs.exporter.address,
      watchdog: () => this.#keeper.seen(),
    };
  }

  // The wish first: after a crash the next daemon goes by it.
  #record(turn: Turn): void {
    const { before, after } = turn;
    if (after.desired.wish !== before.desired.wish) {
      this.#files.wish(after.desired, after.view.epoch);
    }
    this.#recorder.record(turn);
  }

  // What follows a tick. None of it may hold up the next one.
  #finished(turn: Turn): void {
    const { saved, clock } = this.#parts.options;
    const { after } = turn;
    exported(this.#organs.exporter, turn, this.#outlook.fleet());
    this.#outlook.follow(turn);
    this.#talk.follow(turn);
    if (saved.config.watchdog.enabled && after.desired.wish !== "down") this.#keeper.look();
    if (clock.nowMs() - this.#keptMs < keepEveryMs) return;
    this.#keptMs = clock.nowMs();
    this.#files.keep(after.view.epoch);
    this.#keepSocket();
  }

  #keepSocket(): void {
    const { log } = this.#parts;
    this.#api?.keepSocket().then(
      (made) => {
        if (made) log.warn("the socket was taken away: it is made again");
      },
      (error: unknown) => log.error({ error }, "the socket was taken away and cannot be made again"),
    );
  }

  #stop(how: { readonly drainMs: number; readonly now: boolean }): void {
    void this.#wishes.leave({ kind: "stop", ...how });
  }
}

function hear(signal: AbortSignal, then: () => void): void {
  if (signal.aborted) then();
  else signal.addEventListener("abort", then, { once: true });
}

function isOver({ desired, view }: FleetState): boolean {
  const isDown = desired.wish === "down" && view.actions.length === 0;
  return isDown && view.processes.every(({ state }) => state === "stopped");
}
