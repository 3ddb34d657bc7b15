import type { ExitLine, FleetLine, Sample, SeenRequest, Watched } from "../../contract/observation.ts";
import type { Pace } from "./pace.ts";
import { pollMsOf } from "./pace.ts";
import type { Stall } from "./stall.ts";

/** Why a subject gave no data although it was asked. */
export type Silence = {
  readonly why: "timeout" | "refused" | "failed" | "empty" | "unreadable";
  readonly sinceMs: number;
  readonly atMs: number;
  readonly count: number;
};

/** Probes time out: what the kernel says of the process meanwhile. Needs no answer of the engine. */
export type Deaf = {
  readonly stall: Stall;
  readonly procState: string | undefined;
  readonly cpuSecondsFirst: number | undefined;
  readonly cpuSecondsLast: number | undefined;
  readonly gpuUtil: number | undefined;
};

/** How long the engine's own loop has not turned although it was called, with the CPU that its process took. */
export type Turning = {
  readonly steps: number | undefined;
  readonly stall: Stall;
  readonly cpuSecondsFirst: number | undefined;
  readonly cpuSecondsLast: number | undefined;
};

/** One counter that went up: by how much, over how long. */
export type Move = { readonly atMs: number; readonly by: number; readonly overMs: number };

export type Counter =
  | "prompt_tokens_total"
  | "generated_tokens_total"
  | "transfer_bytes_total"
  | "transfers_completed_total";

/** One life of an engine or the router: what was seen of it since it was started. Nothing of an earlier life is here. */
export type Track = {
  readonly who: Watched;
  readonly bornMs: number;
  readonly generation: number | undefined;
  readonly startTimeS: number | undefined;
  /** The latest sample that holds data, and when. */
  readonly latest: Sample | undefined;
  readonly dataMs: number | undefined;
  /** The latest look of any kind. */
  readonly heardMs: number | undefined;
  readonly silence: Silence | undefined;
  /** Of its main process, as the kernel said last. */
  readonly procState: string | undefined;
  /** Since when the kernel says that it has no process any more. */
  readonly goneMs: number | undefined;
  readonly deaf: Deaf | undefined;
  readonly turning: Turning | undefined;
  readonly moves: Readonly<Partial<Record<Counter, Move>>>;
  /** Its log has told how fast transfers go: a source of bytes where there is no counter. */
  readonly logsBytes: boolean;
  /** Since when nothing on it moved: no token, no byte, no completion, no change of a queue. */
  readonly still: Stall;
  /** Since when it starts; absent where it was up when it was first seen. */
  readonly startsMs: number | undefined;
  /** It has been seen at work, or a canary has gone through it. */
  readonly proven: boolean;
  /** A canary has come back with nothing, so that it is not only nobody who asked. */
  readonly canaryFailed: boolean;
  readonly exit: (ExitLine & { readonly atMs: number }) | undefined;
  /** Of earlier lives, too: a loop of crashes is told by them. The latest last. */
  readonly exitsMs: readonly number[];
};

/** One request on one engine, as its latest sample shows it. */
export type Leg = { readonly engine: string; readonly seen: SeenRequest; readonly atMs: number };

/** One live request over all that hold it. */
export type RequestTrack = {
  readonly id: string;
  readonly room: string | undefined;
  readonly prefill: Leg | undefined;
  readonly decode: Leg | undefined;
  readonly open: NonNullable<Sample["open"]>[number] | undefined;
  readonly still: Stall;
  /** The longest that it has stood still, so that one that goes on again can be told from one that never stood. */
  readonly stoodMsMax: number;
  /** Prefill holds it inflight and decode freshly says that it does not: since when, and in how many samples of both. */
  readonly alone: { readonly sinceMs: number; readonly count: number; readonly atMs: number } | undefined;
};

/** One prefill × decode pair, from counts. */
export type EdgeTrack = {
  readonly prefill: string;
  readonly decode: string;
  readonly bytes: number | undefined;
  readonly bytesMove: Move | undefined;
  readonly completed: number | undefined;
  readonly still: Stall;
  readonly pending: boolean;
  /** Stalls that ended by themselves, in ms: how long an honest transfer may look like one. The latest last. */
  readonly waitsMs: readonly number[];
  /** Canaries in a row that did not come back over it, since when; nothing has gone through it after them. */
  readonly lost: { readonly count: number; readonly sinceMs: number } | undefined;
};

/** Everything that judge knows. */
export type History = {
  readonly fleet: FleetLine;
  readonly nowMs: number;
  readonly pace: Pace;
  readonly tracks: ReadonlyMap<string, Track>;
  readonly edges: ReadonlyMap<string, EdgeTrack>;
  readonly requests: ReadonlyMap<string, RequestTrack>;
};

/** Nothing seen yet. `fleet.policy.poll` is the step that is expected; `fleet.facts` are those of recordings. */
export function emptyHistory(fleet: FleetLine): History {
  return {
    fleet,
    nowMs: 0,
    pace: { pollMs: pollMsOf(fleet.policy["poll"]), stepsMs: [], lastMs: undefined, lateMs: undefined, sleptMs: 0 },
    tracks: new Map(),
    edges: new Map(),
    requests: new Map(),
  };
}
