import { createRequire } from "node:module";

/** Why a request failed: `code` as in native/core/failure.h ("inflight-timeout"), `words` for people. */
export type NativeFailure = { readonly code: string; readonly words: string };

export type NativeOptions = {
  readonly role: "prefill" | "decode" | "both";
  readonly modelPath: string;
  readonly threads: number;
  readonly poolBytes: number;
  readonly contextMax: number;
  readonly sequencesMax: number;
  readonly requestsMax: number;
  readonly scatteredPages: boolean;
  readonly weightsAsStored: boolean;
  readonly allowFaults: boolean;
  readonly bootstrapHost: string;
  readonly bootstrapPort: number;
  readonly socketDir: string;
  readonly secret: Uint8Array;
  readonly deadlinesMs: {
    readonly bootstrap: number;
    readonly waiting: number;
    readonly inflight: number;
    readonly queue: number;
    readonly connect: number;
  };
};

/** A tokenised request. `room` is 63 bits and so a bigint. */
export type NativeRequest = {
  readonly id: string;
  readonly prompt: Int32Array;
  readonly tokensMax: number;
  readonly temperature: number;
  readonly seed: bigint;
  readonly stopsAtEnd: boolean;
  readonly bootstrap?: { readonly host: string; readonly port: number; readonly room: bigint };
};

export type NativeEvent =
  | { readonly id: string; readonly kind: "committed" }
  | { readonly id: string; readonly kind: "token"; readonly token: number }
  | {
      readonly id: string;
      readonly kind: "finished";
      readonly reason: "stop" | "length";
      readonly promptTokens: number;
      readonly outputTokens: number;
    }
  | { readonly id: string; readonly kind: "failed"; readonly failure: NativeFailure };

export type NativeModel = {
  readonly name: string;
  readonly architecture: string;
  readonly chatTemplate: string;
  readonly bosText: string;
  readonly eosText: string;
  readonly layers: number;
  readonly kvHeads: number;
  readonly headDim: number;
  readonly vocab: number;
  readonly contextMax: number;
  readonly pages: number;
  /** Compute threads in use: fewer than asked where cores are few. */
  readonly threads: number;
  readonly fingerprint: string;
};

/** One engine in this process. State and records are plain objects in the shapes of contract/engine-http.ts. */
export type NativeEngine = {
  readonly model: NativeModel;
  readonly bootstrapPort: number;
  tokenize(text: string, special: boolean): Int32Array;
  piece(token: number): Uint8Array;
  submit(request: NativeRequest): NativeFailure | undefined;
  abort(id: string, why: NativeFailure): void;
  /** Its answer is whole: recorded as finished, and not as aborted. */
  finish(id: string): void;
  abortRoom(room: bigint, why: NativeFailure): void;
  state(): unknown;
  requests(): unknown[];
  request(id: string): unknown;
  setFault(name: string, on: boolean): boolean;
  faults(): Record<string, boolean>;
  drain(on: boolean): void;
  stop(): Promise<void>;
};

export type Native = {
  readonly version: string;
  /** Rejects with an Error whose `code` is `model`, `address-in-use` or `system`. onStep: once a step at most. */
  start(options: NativeOptions, onStep: (events: readonly NativeEvent[]) => void): Promise<NativeEngine>;
};

/** The addon lies next to the bundle, in dist/; tests and `node src/…` find it there too. */
export function loadNative(path: string): Native {
  return createRequire(import.meta.url)(path) as Native;
}
