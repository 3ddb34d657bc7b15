import type { EngineState } from "../../../../src/contract/engine-http.ts";
import type { NativeEngine, NativeEvent, NativeFailure, NativeRequest } from "../../../../src/engine/native.ts";

/** A vocabulary of bytes, and of control tokens that only special text becomes. */
const controls = ["<|im_start|>", "<|im_end|>", "<s>"];

/** Stands in for the addon: tokens are bytes, and the test says what each step brings. */
export class FakeNative implements NativeEngine {
  readonly bootstrapPort = 7001;
  readonly submitted: NativeRequest[] = [];
  readonly aborted: { readonly id: string; readonly why: NativeFailure }[] = [];
  readonly finished: string[] = [];
  readonly abortedRooms: bigint[] = [];
  readonly #faults: Record<string, boolean> = { "never-send": false, "park-copy-thread": false };
  readonly model: NativeEngine["model"];
  refusal: NativeFailure | undefined;
  draining = false;
  /** Whether an abort is carried out. */
  turns = true;
  loopAgeMs = 1;
  deliver: (events: readonly NativeEvent[]) => void = () => undefined;

  constructor(model: Partial<NativeEngine["model"]> = {}) {
    this.model = { ...usualModel, ...model };
  }

  tokenize(text: string, special: boolean): Int32Array {
    if (!special) return Int32Array.from(new TextEncoder().encode(text));
    const pieces = text.split(/(<\|im_start\|>|<\|im_end\|>|<s>)/);
    return Int32Array.from(
      pieces.flatMap((piece) =>
        controls.includes(piece) ? [256 + controls.indexOf(piece)] : [...this.tokenize(piece, false)],
      ),
    );
  }

  piece(token: number): Uint8Array {
    return token < 256 ? Uint8Array.of(token) : new Uint8Array();
  }

  submit(request: NativeRequest): NativeFailure | undefined {
    if (this.refusal !== undefined) return this.refusal;
    this.submitted.push(request);
    return undefined;
  }

  abort(id: string, why: NativeFailure): void {
    this.aborted.push({ id, why });
  }

  /** The caller has enough. */
  finish(id: string): void {
    this.finished.push(id);
  }

  abortRoom(room: bigint): void {
    this.abortedRooms.push(room);
  }

  state(): EngineState {
    return { ...emptyState, loopAgeMs: this.loopAgeMs, draining: this.draining };
  }

  requests(): unknown[] {
    return this.submitted.map(({ id }) => ({
      ...{ id, room: "7", stage: "inflight", pages: 3, pagesHeld: 0 },
      live: !this.turns || !this.aborted.some((one) => one.id === id),
    }));
  }

  request(id: string): unknown {
    return this.requests().find((record) => (record as { id: string }).id === id);
  }

  setFault(name: string, on: boolean): boolean {
    if (!Object.hasOwn(this.#faults, name)) return false;
    this.#faults[name] = on;
    return true;
  }

  faults(): Record<string, boolean> {
    return { ...this.#faults };
  }

  drain(on: boolean): void {
    this.draining = on;
  }

  async stop(): Promise<void> {}

  /** One step that brings the bytes of `text`, each a token, to a request. */
  tokens(id: string, text: string | Uint8Array): void {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    this.deliver(Array.from(bytes, (token) => ({ id, kind: "token", token })));
  }

  ends(id: string, reason: "stop" | "length" = "stop", outputTokens = 3): void {
    this.deliver([{ id, kind: "finished", reason, promptTokens: 5, outputTokens }]);
  }

  fail(id: string, failure: NativeFailure): void {
    this.deliver([{ id, kind: "failed", failure }]);
  }
}

const usualModel: NativeEngine["model"] = {
  name: "tiny",
  architecture: "llama",
  chatTemplate:
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}",
  bosText: "",
  eosText: "<|im_end|>",
  layers: 2,
  kvHeads: 1,
  headDim: 8,
  threads: 1,
  vocab: 259,
  contextMax: 2048,
  pages: 64,
  fingerprint: "f00d",
};

const emptyState: EngineState = {
  role: "both",
  incarnation: "00000000000000aa",
  loopAgeMs: 1,
  steps: 7,
  queues: { bootstrap: 0, waiting: 0, running: 2, inflight: 0, prealloc: 0, transfer: 0 },
  pages: { total: 64, free: 60, live: 4, held: 0 },
  totals: {
    requests: 9,
    finished: 6,
    failed: 1,
    aborted: 2,
    bootstrapFailed: 0,
    transferFailed: 0,
    transfersCompleted: 0,
    transferBytes: 0,
    promptTokens: 50,
    generatedTokens: 40,
    ackLost: 0,
    framesStale: 0,
    framesHostile: 0,
    handshakesRefused: 0,
  },
  links: 0,
  draining: false,
  pagesWrong: "",
};
