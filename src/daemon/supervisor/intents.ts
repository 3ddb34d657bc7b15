import { z } from "zod";
import { type Action, actionSchema, type Outcome, outcomeSchema } from "../../contract/action.ts";
import { LineLog } from "../../lib/line-log.ts";

const edgeSchema = z.object({ prefill: z.string(), decode: z.string() });

/** One line of intents.log. `begin` and `step` are written before, `end` after. */
const intentLineSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("begin"), action: actionSchema }),
  z.object({
    kind: z.literal("step"),
    actionId: z.string(),
    step: z.number(),
    words: z.string(),
    /** How often each process of the operation had been started when it began. */
    generations: z.record(z.string(), z.number()).optional(),
    epoch: z.number().optional(),
  }),
  z.object({ kind: z.literal("end"), outcome: outcomeSchema }),
  z.object({ kind: z.literal("epoch"), epoch: z.number() }),
  z.object({ kind: z.literal("quarantined"), edges: z.array(edgeSchema) }),
]);

export type IntentLine = z.infer<typeof intentLineSchema>;
export type IntentStep = Extract<IntentLine, { kind: "step" }>;

/** An operation that has begun, and the steps that were intended so far. */
export type OpenOperation = { readonly action: Action; readonly steps: readonly IntentStep[] };

// An operation writes about ten lines of 1 KiB: room for a hundred before the file is written anew.
const bytesMax = 1024 * 1024;

/** What was intended, on disk before it is done: what a daemon after a crash goes on from. */
export class Intents {
  readonly #log: LineLog;
  readonly #open = new Map<string, OpenOperation>();
  #epoch = 0;
  #quarantined: readonly z.infer<typeof edgeSchema>[] = [];

  constructor(path: string) {
    const { log, lines } = LineLog.open(path, { bytesMax });
    this.#log = log;
    for (const line of lines) {
      const parsed = lineOf(line);
      if (parsed !== undefined) this.#take(parsed);
    }
  }

  /** The largest epoch that was ever allocated here; 0 where none was. */
  get epoch(): number {
    return this.#epoch;
  }

  get quarantined(): readonly z.infer<typeof edgeSchema>[] {
    return this.#quarantined;
  }

  /** Operations without an end, the oldest first. */
  open(): readonly OpenOperation[] {
    return [...this.#open.values()];
  }

  begin(action: Action): void {
    this.#write({ kind: "begin", action });
  }

  step(step: Omit<IntentStep, "kind">): void {
    this.#write({ kind: "step", ...step });
  }

  /** Nothing where it was refused before it began. */
  end(outcome: Outcome): void {
    if (this.#open.has(outcome.actionId)) this.#write({ kind: "end", outcome });
  }

  /** No epoch below this one is ever allocated here. */
  reachEpoch(epoch: number): void {
    if (epoch > this.#epoch) this.#write({ kind: "epoch", epoch });
  }

  setQuarantined(edges: readonly z.infer<typeof edgeSchema>[]): void {
    this.#write({ kind: "quarantined", edges: [...edges] });
  }

  close(): void {
    this.#log.close();
  }

  #write(line: IntentLine): void {
    const text = JSON.stringify(line);
    if (!this.#log.append(text)) this.#log.replace([...this.#kept(), text]);
    this.#take(line);
  }

  #take(line: IntentLine): void {
    switch (line.kind) {
      case "begin":
        this.#open.set(line.action.id, { action: line.action, steps: [] });
        break;
      case "step": {
        const before = this.#open.get(line.actionId);
        if (before !== undefined) this.#open.set(line.actionId, { ...before, steps: [...before.steps, line] });
        this.#epoch = Math.max(this.#epoch, line.epoch ?? 0);
        break;
      }
      case "end":
        this.#open.delete(line.outcome.actionId);
        break;
      case "epoch":
        this.#epoch = Math.max(this.#epoch, line.epoch);
        break;
      case "quarantined":
        this.#quarantined = line.edges;
        break;
    }
  }

  // What a later daemon needs of the lines so far: operations that are open, the epoch, the edges kept out.
  #kept(): string[] {
    const open = this.open().flatMap(({ action, steps }): IntentLine[] => [{ kind: "begin", action }, ...steps]);
    const facts: IntentLine[] = [
      { kind: "epoch", epoch: this.#epoch },
      { kind: "quarantined", edges: [...this.#quarantined] },
    ];
    return [...facts, ...open].map((line) => JSON.stringify(line));
  }
}

// A line of a later version, or one that a disk has spoilt, says nothing here.
function lineOf(text: string): IntentLine | undefined {
  try {
    return intentLineSchema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
