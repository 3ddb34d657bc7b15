import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../lib/clock.ts";
import type { SecretCheck } from "../lib/shared-secret.ts";
import type { Edges } from "./edges/edges.ts";
import type { ExchangeOptions } from "./exchange/exchange-options.ts";
import type { RouterRecords } from "./router-records.ts";
import type { Sender } from "./sending/sender.ts";

/** What the routes of a router share. */
export type RouterParts = {
  readonly name: string;
  readonly edges: Edges;
  readonly records: RouterRecords;
  readonly sender: Sender;
  readonly limits: ExchangeOptions["limits"];
  /** Goes with every leg; absent where no engine asks for it. */
  readonly secret: string | undefined;
  readonly trusts: SecretCheck;
  /** Aborted once the router takes nothing new. */
  readonly draining: AbortSignal;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
};
