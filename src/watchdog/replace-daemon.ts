import type { Identity } from "../contract/run-record.ts";
import type { ActorLock } from "../lib/actor-lock.ts";
import type { Clock } from "../lib/clock.ts";
import type { Places } from "../lib/places.ts";
import type { Decision } from "./decide.ts";
import { type Fleet, wishOf } from "./fleet.ts";
import type { FleetFiles } from "./fleet-files.ts";
import { heal } from "./heal.ts";
import { lastCoRestartMs, noteCoRestart } from "./ledger.ts";
import type { Limits } from "./limits.ts";
import type { Sight } from "./sight.ts";
import { startDaemon } from "./start-daemon.ts";
import { takeOver } from "./take-over.ts";
import type { Severity, Teller } from "./teller.ts";

export type Replacement = {
  readonly fleet: Fleet;
  readonly places: Places;
  readonly files: Pick<FleetFiles, "intent" | "restore">;
  /** The one that lives, if any. */
  readonly daemon: Identity | undefined;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly teller: Teller;
  readonly sight: Sight;
  /** False in tests only; see takeOver. */
  readonly kill: boolean;
  /** Tells the next daemon that this process lives. */
  readonly beat: () => void;
  readonly signal: AbortSignal;
};

/** started: a daemon is on record. failed: none came. held: somebody else has the lock. */
export type Replaced = "started" | "failed" | "held";

/** Takes the lock, heals what is stuck, lets go of the lock, and starts a daemon. */
export async function replaceDaemon(
  { why, heal: oldest }: Extract<Decision, { kind: "take-over" }>,
  replacement: Replacement,
): Promise<Replaced> {
  const { fleet, places, files, daemon, teller, kill, signal } = replacement;
  const tell = (words: string, severity: Severity = "critical"): void =>
    teller.tell({ subject: "daemon", severity, words });
  const lock = await takeOver(places, { daemon, kill, signal });
  if (lock === undefined) return "held";
  tell(`the watchdog has taken over: ${why}`);
  try {
    files.restore();
    if (oldest !== undefined) await heal(oldest, healingOf(replacement, lock));
  } catch (error) {
    signal.throwIfAborted();
    // A new daemon is wanted all the more.
    tell(`healing broke off: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    lock.release();
  }
  if (wishNow(replacement) !== "up") return "held";
  const started = await startDaemon(fleet.saved, places, { beat: replacement.beat, signal });
  if (started) tell("a new daemon runs", "ok");
  else tell("a new daemon was started and did not stay");
  return started ? "started" : "failed";
}

function healingOf(replacement: Replacement, lock: ActorLock): Parameters<typeof heal>[1] {
  const { places, clock, limits } = replacement;
  const last = lastCoRestartMs(places, clock.nowMs());
  return {
    ...replacement,
    mayCoRestart: last === undefined || clock.nowMs() - last >= limits.coRestartEveryMs,
    onCoRestart: () => noteCoRestart(places, clock.nowMs()),
    check: () => {
      replacement.beat();
      if (!lock.stillHeld()) throw new Error("another process has taken the lock");
      if (wishNow(replacement) !== "up") throw new Error("the fleet is not wanted up any more");
    },
  };
}

function wishNow({ files, clock }: Replacement): ReturnType<typeof wishOf> {
  return wishOf(files.intent(), clock.wallMs());
}
