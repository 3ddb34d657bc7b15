import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../lib/clock.ts";
import type { SecretCheck } from "../lib/shared-secret.ts";
import type { LiveAnswers } from "./answer/live-answers.ts";
import type { Peers } from "./ask/bootstrap.ts";
import type { NativeEngine } from "./native.ts";
import type { ChatTemplate } from "./prompt/chat-template.ts";

/** What the routes of one engine share. */
export type EngineParts = {
  readonly name: string;
  /** What answers call the model. */
  readonly servedName: string;
  readonly role: "prefill" | "decode" | "both";
  readonly native: NativeEngine;
  readonly template: ChatTemplate;
  readonly answers: LiveAnswers;
  readonly peers: Peers;
  readonly allowFaults: boolean;
  /** Whether a caller knows the fleet's secret, or need not. */
  readonly trusts: SecretCheck;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
};
