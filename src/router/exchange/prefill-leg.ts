import type { IncomingHttpHeaders } from "node:http";
import type { Engine } from "../edges/engine.ts";
import { BoundedBody } from "./bounded-body.ts";
import { engineLost } from "./failure-words.ts";
import { Leg, type LegRequest, type Lost } from "./leg.ts";
import { engineFailure, type LegFailure, ownFailure } from "./root-cause.ts";

export type PrefillLegOptions = {
  readonly engine: Engine;
  readonly request: LegRequest;
  /** 0: not to be seen in the engine's count. */
  readonly weight: 0 | 1;
  readonly ackMs: number;
};

/** The prefill leg: only whether it failed matters, and that it ends. */
export class PrefillLeg {
  readonly #engine: Engine;
  readonly #weight: 0 | 1;
  readonly #ackMs: number;
  readonly #onFailed: (failed: LegFailure) => void;
  readonly #body = new BoundedBody(bodyBytesMax);
  readonly #leg: Leg;
  #head: { readonly status: number; readonly headers: IncomingHttpHeaders } = { status: 0, headers: {} };
  #timer: NodeJS.Timeout | undefined;
  #over = false;

  constructor({ engine, request, weight, ackMs }: PrefillLegOptions, onFailed: (failed: LegFailure) => void) {
    this.#engine = engine;
    this.#weight = weight;
    this.#ackMs = ackMs;
    this.#onFailed = onFailed;
    this.#leg = new Leg(engine.pool, request, {
      head: (status, headers) => {
        this.#head = { status, headers };
        engine.answered();
      },
      data: (bytes) => {
        if (!this.#body.add(bytes)) this.#failed(`answered more than ${bodyBytesMax} bytes`);
      },
      end: () => this.#finish(),
      error: (lost) => {
        engine.lost(lost.words);
        this.#failed(lost.words, lost);
      },
    });
  }

  start(): void {
    this.#engine.open += this.#weight;
    this.#leg.start();
  }

  cancel(): void {
    this.#close();
  }

  /** Decode has answered; prefill hears of that by itself, but not for ever. */
  awaitEnd(): void {
    if (this.#over) return;
    this.#timer = setTimeout(
      () => this.#failed(`has not noticed within ${this.#ackMs / 1000} s that decode has everything`),
      this.#ackMs,
    );
  }

  #finish(): void {
    this.#close();
    const { status, headers } = this.#head;
    if (status === 200) return;
    const body = this.#body.whole().toString("utf8");
    this.#onFailed(engineFailure(this.#engine.name, { status, headers, body }));
  }

  #failed(words: string, lost?: Lost): void {
    this.#close();
    const engine = this.#engine;
    this.#onFailed(ownFailure(engineLost(engine.name, words), lost && { lost: { engine, refused: lost.refused } }));
  }

  #close(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#leg.cancel();
    this.#engine.open -= this.#weight;
  }
}

const bodyBytesMax = 1024 * 1024;
