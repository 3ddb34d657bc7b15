import type { Identity } from "../contract/run-record.ts";
import type { Clock } from "../lib/clock.ts";
import type { Heartbeat } from "../lib/heartbeat.ts";
import type { Places } from "../lib/places.ts";
import { type Decision, decide, type Facts } from "./decide.ts";
import { allowedSteps, type Fleet, heartbeatIn, wishOf } from "./fleet.ts";
import { FleetFiles } from "./fleet-files.ts";
import { livingDaemon } from "./identity.ts";
import { type Limits, limitsOf } from "./limits.ts";
import { lookAtAll } from "./look.ts";
import { fileNotices, noticesOf } from "./notices.ts";
import { openAction } from "./open-action.ts";
import { feel, isFrozen, type Pulse } from "./pulse.ts";
import { replaceDaemon } from "./replace-daemon.ts";
import { type EngineLook, type Sight, see, stuckIn } from "./sight.ts";
import type { Teller } from "./teller.ts";

export type WatchdogParts = {
  readonly places: Places;
  readonly clock: Clock;
  readonly teller: Teller;
  readonly heartbeat: Heartbeat;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stop: AbortSignal;
};

type Known = { readonly fleet: Fleet; readonly limits: Limits };

// While the fleet's file cannot be read.
const pollUnknownMs = 1_000;
// How long one look may take, on top of the pace of the rounds.
const lookLimitMs = 3_000;
// Between starts of daemons that did not stay.
const startAgainMs = { first: 1_000, most: 60_000 };

/** One round looks at everything, decides, and acts where it must. */
export class Watchdog {
  readonly #parts: WatchdogParts;
  readonly #files: FleetFiles;
  #daemon: Identity | undefined;
  #sight: Sight = {};
  #pulse: Pulse | undefined;
  #roundMs: number | undefined;
  #healedMs: number | undefined;
  #startsFailed = 0;
  #startDueMs = 0;

  constructor(parts: WatchdogParts) {
    this.#parts = parts;
    this.#files = new FleetFiles(parts.places);
  }

  /** How long to wait before the next one; undefined once there is nothing to watch any more. */
  async round(): Promise<number | undefined> {
    const { places, env, stop, teller } = this.#parts;
    const fleet = this.#files.fleet();
    const known = fleet === undefined ? undefined : { fleet, limits: limitsOf(fleet.saved.config, env) };
    const looks = known === undefined ? [] : await lookAtAll(known.fleet, places, stop);
    const pollMs = known?.limits.pollMs ?? pollUnknownMs;
    this.#watch(looks, pollMs);
    const facts = this.#facts(known, looks);
    const seen = known === undefined ? [] : noticesOf(facts, { sight: this.#sight, looks, limits: known.limits });
    teller.keep([...fileNotices(facts, this.#files.faults()), ...seen]);
    const decision = decide(facts);
    if (decision.kind === "end") return undefined;
    if (decision.kind === "take-over" && known !== undefined) await this.#takeOver(decision, known);
    this.#beat();
    return pollMs;
  }

  // What this process slept through it has not watched: a round that comes late counts as one in time.
  #watch(looks: readonly EngineLook[], pollMs: number): void {
    const { places, clock } = this.#parts;
    const nowMs = clock.nowMs();
    const stepMs = Math.min(nowMs - (this.#roundMs ?? nowMs), 2 * pollMs + lookLimitMs);
    this.#roundMs = nowMs;
    this.#sight = see(this.#sight, looks, stepMs);
    const daemon = livingDaemon(places, this.#daemon);
    this.#daemon = daemon;
    const who = daemon === undefined ? nobody : `${daemon.pid}:${daemon.startTicks}`;
    const startedMs = (daemon?.startTicks ?? 0) * tickMs;
    this.#pulse = feel(this.#pulse, { daemon: who, startedMs, beat: heartbeatIn(places.heartbeat) }, stepMs);
  }

  #facts(known: Known | undefined, looks: readonly EngineLook[]): Facts {
    const { places, clock } = this.#parts;
    const wish = wishOf(this.#files.intent(), clock.wallMs());
    const startIsDue = clock.nowMs() >= this.#startDueMs;
    const daemon = this.#stateOfDaemon(known?.limits);
    if (known === undefined) {
      // Nobody knows what should be up.
      const shown = wish === "up" ? "unknown" : wish;
      return { wish: shown, daemon, startIsDue, stuck: undefined, mayHeal: false, actionOpen: undefined };
    }
    const { fleet, limits } = known;
    const stuck = stuckIn(this.#sight, looks, limits);
    const rested = this.#healedMs === undefined || clock.nowMs() - this.#healedMs >= limits.hardMs;
    const mayHeal = rested && allowedSteps(fleet.saved.config).some((step) => step === "fail" || step === "co-restart");
    const actionOpen = stuck === undefined ? undefined : openAction(places.intents);
    return { wish, daemon, startIsDue, stuck, mayHeal, actionOpen };
  }

  #stateOfDaemon(limits: Limits | undefined): Facts["daemon"] {
    if (this.#pulse === undefined || this.#pulse.daemon === nobody) return "gone";
    return limits !== undefined && isFrozen(this.#pulse, limits) ? "frozen" : "serves";
  }

  async #takeOver(decision: Extract<Decision, { kind: "take-over" }>, { fleet, limits }: Known): Promise<void> {
    const { places, clock, teller, env, stop } = this.#parts;
    if (decision.heal !== undefined) this.#healedMs = clock.nowMs();
    const kill = !(env["PDCTL_TEST_LIMITS"] === "1" && env["PDCTL_TEST_NO_KILL"] === "1");
    const parts = { fleet, limits, places, clock, teller, sight: this.#sight, kill, signal: stop };
    const known = { files: this.#files, daemon: this.#daemon };
    const replaced = await replaceDaemon(decision, { ...parts, ...known, beat: () => this.#beat() });
    this.#startsFailed = replaced === "failed" ? this.#startsFailed + 1 : 0;
    const waitMs = Math.min(startAgainMs.most, startAgainMs.first * 2 ** this.#startsFailed);
    this.#startDueMs = clock.nowMs() + waitMs;
  }

  #beat(): void {
    const { heartbeat, clock } = this.#parts;
    heartbeat.beat(clock.nowMs());
  }
}

const nobody = "nobody";
// Linux counts start times in hundredths of a second, on every machine.
const tickMs = 10;
