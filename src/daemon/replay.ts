import type { Action } from "../contract/action.ts";
import { PdctlError } from "../contract/errors.ts";
import type { FleetLine, Observation } from "../contract/observation.ts";
import type { Verdict } from "../contract/verdict.ts";
import { boundedLines } from "../lib/bounded-lines.ts";
import { readFault } from "../lib/place-fault.ts";
import { emptyHistory, type History } from "./detector/history.ts";
import { judge } from "./detector/judge.ts";
import { see } from "./detector/see.ts";
import type { Policy } from "./detector/view.ts";
import { emptyLedger, type Ledger } from "./healer/ledger.ts";
import { note } from "./healer/note.ts";
import { plan } from "./healer/plan.ts";
import type { Situation } from "./healer/situation.ts";
import { fleetOf, policyIn } from "./recording/fleet-line.ts";
import { type Line, lineCharsMax, numberedLines, observationOf } from "./recording/lines.ts";
import { Changes, type ReplayLine, replayLine } from "./recording/replay-line.ts";

/**
 * Runs the detector and the healer over a recording and yields each decision. Nothing acts and nothing heals: every
 * action counts as done and without effect, so that the whole ladder shows.
 */
export async function* replay(
  lines: AsyncIterable<string> | Iterable<string>,
  policy?: Policy,
): AsyncGenerator<ReplayLine> {
  const numbered = numberedLines(lines);
  const first = await numbered.next();
  const fleet = fleetOf(first.done === true ? undefined : first.value);
  const player = new Player(fleet, policy ?? policyIn(fleet));
  for await (const line of numbered) yield* player.take(line);
  yield* player.end();
}

/** The same from a file, a line at a time. */
export async function* replayFile(path: string, policy?: Policy): AsyncGenerator<ReplayLine> {
  try {
    yield* replay(boundedLines(path, { charsMax: lineCharsMax }), policy);
  } catch (cause) {
    if (!(cause instanceof Error) || !("syscall" in cause)) throw cause;
    throw new PdctlError(
      "recording-invalid",
      `The recording cannot be read: ${readFault(cause)}.`,
      "give another file",
      { cause },
    );
  }
}

// Lines that make no tick wait for the next one; nobody logs more than that between two.
const waitingMax = 10_000;

class Player {
  readonly #fleet: FleetLine;
  readonly #policy: Policy;
  readonly #changes = new Changes();
  #history: History;
  #ledger: Ledger = emptyLedger();
  #planned: readonly Action[] = [];
  #plannedMs = 0;
  #waiting: Observation[] = [];
  #timeS: number | undefined;

  constructor(fleet: FleetLine, policy: Policy) {
    this.#fleet = fleet;
    this.#policy = policy;
    this.#history = emptyHistory({ ...fleet, policy: { ...fleet.policy, poll: policy.poll } });
  }

  *take(line: Line): Generator<ReplayLine> {
    const observation = observationOf(line, this.#timeS);
    if (this.#timeS !== undefined && observation.t > this.#timeS) yield* this.#tick(this.#timeS);
    this.#timeS = observation.t;
    this.#waiting.push(observation);
    if (this.#waiting.length > waitingMax) this.#waiting.shift();
  }

  *end(): Generator<ReplayLine> {
    if (this.#timeS !== undefined) yield* this.#tick(this.#timeS);
  }

  *#tick(timeS: number): Generator<ReplayLine> {
    if (!this.#waiting.some(({ kind }) => kind === "sample" || kind === "scrape" || kind === "edge")) return;
    const nowMs = Math.round(timeS * 1_000);
    this.#history = see(this.#history, this.#waiting, nowMs);
    this.#waiting = [];
    const verdicts = judge({ history: this.#history, policy: this.#policy, nowMs });
    this.#ledger = note(this.#ledger, { verdicts, actions: [], outcomes: this.#outcomes(), nowMs });
    // What the wish takes is nothing that was decided by what was seen.
    this.#planned = plan(this.#situation(verdicts, nowMs)).filter(({ by }) => by !== "wish");
    this.#plannedMs = nowMs;
    this.#ledger = note(this.#ledger, { verdicts, actions: this.#planned, outcomes: [], nowMs });
    for (const verdict of this.#changes.of(verdicts)) yield replayLine(timeS, verdict);
    for (const action of this.#planned) yield replayLine(timeS, action);
  }

  #outcomes() {
    return this.#planned.map(({ id }) => ({
      actionId: id,
      outcome: "done" as const,
      atMs: this.#plannedMs,
      words: "replayed",
      details: [],
    }));
  }

  /** Everything is taken to run, so that nothing has to be started first. */
  #situation(verdicts: readonly Verdict[], nowMs: number): Situation {
    const processes = this.#fleet.engines.map(({ id, role, driver, attached = false, control = false }) => ({
      name: id,
      role,
      driver,
      state: "ready" as const,
      generation: 0,
      sinceMs: 0,
      attached,
      control,
      busy: false,
    }));
    return {
      verdicts,
      desired: { wish: "up", drainMs: 0, now: false },
      processes,
      serves: true,
      epoch: 0,
      ledger: this.#ledger,
      policy: this.#policy,
      canary: { every: "off" },
      nowMs,
    };
  }
}
