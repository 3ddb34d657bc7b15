import type { RequestRecord } from "../../contract/engine-http.ts";
import type { RouterRequest } from "../../contract/router-http.ts";
import type { Cause, VerdictName } from "../../contract/verdict.ts";

/** The two legs of a request, or the one of an engine that does both. */
export type Legs = {
  readonly prefill?: RequestRecord;
  readonly decode?: RequestRecord;
  readonly both?: RequestRecord;
};

/** Everything that is known of one request. */
export type Known = {
  readonly id: string;
  readonly router?: RouterRequest;
  readonly legs: Legs;
  /** Names of the engines that the legs are on. */
  readonly engines: { readonly prefill?: string; readonly decode?: string; readonly both?: string };
  /** Whether a process that may know more of it did not answer. */
  readonly partial: boolean;
  readonly wallMs: number;
  /** What the detector says of it. */
  readonly verdict: { readonly verdict: VerdictName; readonly cause?: Cause | undefined } | undefined;
};
