import type { Action, Outcome } from "../../contract/action.ts";
import { PdctlError } from "../../contract/errors.ts";
import { attempt, wordsOf } from "./attempt.ts";
import { dieAt } from "./die-at.ts";
import { heldBy } from "./held-by.ts";
import type { OpenOperation } from "./intents.ts";
import { lockLost } from "./lock-lost.ts";
import type { Operation, OperationParts, Result } from "./operation.ts";
import { writeEpoch } from "./wish-file.ts";

type Running = {
  readonly action: Action;
  /** Nobody else may act on them meanwhile. */
  readonly processes: readonly string[];
  readonly callOff: AbortController;
  readonly hurry: AbortController;
  /** Later wishes for the same, which end with it. */
  readonly joined: Action[];
  words: string;
  ended: Promise<void>;
};

export type OperationsParts = Omit<OperationParts, "say"> & {
  readonly holdsLock: () => boolean;
  readonly onOutcome: (outcome: Outcome) => void;
  /** The same with the action that it belongs to. */
  readonly say: (subject: string, words: string, actionId?: string) => void;
};

/** Performs actions, side by side where they do not touch the same process, each with its intent before it. */
export class Operations {
  readonly #parts: OperationsParts;
  readonly #running = new Map<string, Running>();
  #closed = false;

  constructor(parts: OperationsParts) {
    this.#parts = parts;
  }

  begin(action: Action): void {
    if (this.#running.has(action.id)) return;
    const refusal = this.#refusal(action);
    if (refusal === "joined") return;
    if (refusal !== undefined) this.#answer(action, { outcome: "refused", words: refusal });
    else if (this.#intend(action)) this.#start(action, []);
  }

  /** Goes on with what a crash has cut short. */
  goOn({ action, steps }: OpenOperation): void {
    this.#start(action, steps);
  }

  /** The one that people should know of: the fleet's before an engine's. */
  get current(): { readonly name: string; readonly step: string; readonly words: string } | undefined {
    const all = [...this.#running.values()];
    const found =
      all.find(({ processes }) => processes.length > 1) ?? all.find(({ processes }) => processes.length > 0);
    if (found === undefined) return undefined;
    const { action, words } = found;
    return { name: `${action.action} ${action.target}`, step: words, words: `${action.action}: ${words}` };
  }

  /** Ids of all that is being performed. */
  get ids(): readonly string[] {
    return [...this.#running.values()].flatMap(({ action, joined }) => [action, ...joined].map(({ id }) => id));
  }

  /** Whether the fleet as a whole is being started or stopped. */
  get turns(): boolean {
    return [...this.#running.values()].some(({ action }) => action.target === "fleet" && action.action !== "notify");
  }

  close(): void {
    this.#closed = true;
    for (const { callOff } of this.#running.values()) callOff.abort(new Error("the supervisor was closed"));
  }

  // Why it is not done; "joined" where it is being done already.
  #refusal(action: Action): string | undefined {
    const { holdsLock, intents } = this.#parts;
    if (!holdsLock()) return "another process has taken over the fleet";
    const processes = heldBy(this.#parts, action);
    const others = [...this.#running.values()].filter((one) => one.processes.some((name) => processes.includes(name)));
    if (isStop(action)) return this.#stopInstead(action, others);
    const [busy] = others;
    if (busy !== undefined) return `${busy.action.target} is busy: ${busy.action.action}, ${busy.words}`;
    const twin = action.action === "canary" && [...this.#running.values()].find((one) => same(one.action, action));
    if (twin) return "a canary is on its way there";
    const missing = processes.find((name) => !this.#parts.table.has(name));
    if (missing !== undefined) return `no process is named ${missing}`;
    if (action.epoch > intents.epoch) return `epoch ${action.epoch} has not begun`;
    return undefined;
  }

  // The end of the fleet waits for nothing: what runs is called off. A second wish for it can only hurry.
  #stopInstead(action: Action, others: readonly Running[]): "joined" | undefined {
    const stop = others.find((one) => isStop(one.action));
    if (stop === undefined) {
      for (const { callOff } of others)
        callOff.abort(new PdctlError("interrupted", "Called off: the fleet stops.", ""));
      return undefined;
    }
    stop.joined.push(action);
    if (action.now === true) stop.hurry.abort();
    return "joined";
  }

  // Without an intent on disk only what is harmless to repeat is done.
  #intend(action: Action): boolean {
    try {
      this.#parts.intents.begin(action);
      return true;
    } catch (error) {
      this.#parts.log.error({ error, action: action.id }, "the intent cannot be written");
      if (["fail", "abort", "notify"].includes(action.action)) return true;
      this.#answer(action, { outcome: "refused", words: `its intent cannot be written: ${wordsOf(error)}` });
      return false;
    }
  }

  #start(action: Action, earlier: OpenOperation["steps"]): void {
    const processes = heldBy(this.#parts, action).filter((name) => this.#parts.table.has(name));
    const before = [...this.#running.values()].filter((one) => one.processes.some((name) => processes.includes(name)));
    const running: Running = {
      ...{ action, processes, joined: [], words: "begins", ended: Promise.resolve() },
      callOff: new AbortController(),
      hurry: new AbortController(),
    };
    if (action.now === true) running.hurry.abort();
    this.#running.set(action.id, running);
    for (const name of processes) this.#parts.table.note(name, { busy: true });
    running.ended = this.#run(running, earlier, before);
  }

  async #run(running: Running, earlier: OpenOperation["steps"], before: readonly Running[]): Promise<void> {
    const { action, processes, joined } = running;
    await Promise.all(before.map(async ({ ended }) => ended));
    const say = (subject: string, words: string): void => this.#parts.say(subject, words, action.id);
    const result = await attempt({ ...this.#parts, say }, this.#operationOf(running, earlier));
    this.#running.delete(action.id);
    const held = new Set([...this.#running.values()].flatMap((one) => one.processes));
    for (const name of processes) this.#parts.table.note(name, { busy: held.has(name) });
    // The next daemon goes on with it.
    if (this.#closed) return;
    for (const one of [action, ...joined]) this.#answer(one, result);
  }

  #operationOf(running: Running, earlier: OpenOperation["steps"]): Operation {
    const { action, callOff, hurry } = running;
    const { intents, places, say, holdsLock, env, log } = this.#parts;
    return {
      ...{ action, earlier, signal: callOff.signal, now: hurry.signal },
      step: (step, words, facts = {}) => {
        callOff.signal.throwIfAborted();
        if (!holdsLock()) throw lockLost();
        intents.step({ actionId: action.id, step, words, ...facts });
        if (facts.epoch !== undefined) this.#noteEpoch(facts.epoch);
        running.words = words;
        log.info({ action: action.id, step }, words);
        // Of a whole start or stop each process tells for itself.
        if (action.action !== "start" && action.action !== "stop") {
          say(action.target, `${action.action}: ${words}`, action.id);
        }
        dieAt({ env, state: places.state }, action.action, step);
      },
    };
  }

  // Beside the wish it is for readers; what counts stands in the log of the intents.
  #noteEpoch(epoch: number): void {
    const { places, log } = this.#parts;
    try {
      writeEpoch(places.intent, epoch);
    } catch (error) {
      log.warn({ error, epoch }, "the epoch cannot be written beside the wish");
    }
  }

  #answer(action: Action, { details = [], ...result }: Result): void {
    const { intents, clock, onOutcome, log } = this.#parts;
    const said: Outcome = { actionId: action.id, atMs: clock.nowMs(), ...result, details: [...details] };
    try {
      intents.end(said);
    } catch (error) {
      log.error({ error, action: action.id }, "the outcome cannot be written");
    }
    onOutcome(said);
  }
}

function isStop({ action, target }: Action): boolean {
  return action === "stop" && target === "fleet";
}

function same(a: Action, b: Action): boolean {
  return a.action === b.action && a.target === b.target;
}
