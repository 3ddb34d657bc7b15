import type { Failure } from "../../contract/failure-status.ts";
import type { Edge } from "../edges/edge.ts";
import type { ClientAnswer } from "./client-answer.ts";
import type { LegRequest } from "./leg.ts";
import type { LegFailure } from "./root-cause.ts";

export type Outcome = "answered" | "failed" | "client-gone";

/** What both legs of one attempt are called, and told. */
export type Letter = { readonly id: string; readonly room: string | undefined; readonly request: LegRequest };

export type ExchangeOptions = {
  /** What it is called until it is sent. */
  readonly id: string;
  /** What goes to the engines of an edge. */
  readonly letter: (edge: Edge, attempt: number) => Letter;
  readonly stream: boolean;
  /** Sent to try an edge: in no count, and never sent again. */
  readonly canary: boolean;
  /** Of the client's body. */
  readonly askBytes: number;
  readonly client: ClientAnswer;
  readonly limits: {
    readonly firstTokenMs: number;
    readonly tokenGapMs: number;
    readonly echoMs: number;
    readonly ackMs: number;
  };
  readonly events: ExchangeEvents;
};

export type ExchangeEvents = {
  readonly onSent: () => void;
  /** When decode's head has come, and so no failure of prefill counts any more. */
  readonly onCommit: () => void;
  readonly onEnd: (outcome: Outcome, failure: Failure | undefined) => void;
  /** Prefill failed, or never ended, although decode had everything. */
  readonly onAckLost: (failure: Failure) => void;
  /** An engine went away with it. What the client is told, or undefined where the exchange was taken back. */
  readonly onLost: (failed: LegFailure) => LegFailure | undefined;
};

/** The attempt that was taken back, so that it can be proven to have ended. */
export type OldAttempt = { readonly edge: Edge; readonly letter: Letter };
