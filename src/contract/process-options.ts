import type { Address } from "./address.ts";

/** How `pdctl engine` runs one native engine: the flags of launch.ts, read. */
export type EngineOptions = {
  readonly name: string;
  readonly role: "prefill" | "decode" | "both";
  readonly modelPath: string;
  /** What answers and /v1/models call the model. */
  readonly servedName: string;
  /** HTTP; port 0 picks one. */
  readonly listen: Address;
  /** Where prefill waits for decode; port 0 picks one. */
  readonly bootstrap: Address;
  /** May listen beyond loopback although nothing here asks clients for a key. */
  readonly allowOpen: boolean;
  /** Control routes and requests of routers need no secret. */
  readonly open: boolean;
  readonly secretFile: string | undefined;
  /** Bootstrap addresses that a decode engine may dial; empty: those of its own machine. */
  readonly peers: readonly Address[];
  readonly socketDir: string;
  readonly readyFile: string | undefined;
  readonly threads: number;
  readonly poolBytes: number;
  /** 0: the model's own. */
  readonly contextMax: number;
  readonly sequencesMax: number;
  /** Queue 0: none. */
  readonly deadlinesMs: {
    readonly bootstrap: number;
    readonly waiting: number;
    readonly inflight: number;
    readonly queue: number;
    readonly connect: number;
  };
  readonly allowFaults: boolean;
  readonly scatteredPages: boolean;
  readonly weightsAsStored: boolean;
  /** How long running requests may go on once the process was asked to stop. */
  readonly stopLimitMs: number;
};

export type PrefillTarget = { readonly name: string; readonly url: string; readonly bootstrap: Address };
export type EngineTarget = { readonly name: string; readonly url: string };

/** How `pdctl router` runs the embedded router. */
export type RouterOptions = {
  readonly name: string;
  readonly listen: Address;
  readonly allowOpen: boolean;
  readonly prefill: readonly PrefillTarget[];
  readonly decode: readonly EngineTarget[];
  /** Engines that prefill and decode by themselves; used instead of pairs. */
  readonly both: readonly EngineTarget[];
  /** What happens to a request that has sent no byte when its engine is lost or restarted. */
  readonly replay: "unsent" | "never";
  readonly secretFile: string | undefined;
  readonly readyFile: string | undefined;
  readonly connectMs: number;
  readonly firstTokenMs: number;
  readonly tokenGapMs: number;
  readonly stopLimitMs: number;
};
