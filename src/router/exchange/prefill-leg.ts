import type { IncomingHttpHeaders } from "node:http";
import type { PrefillTarget } from "../../contract/process-options.ts";
import type { Engine } from "../edges.ts";
import { BoundedBody } from "./bounded-body.ts";
import { engineLost } from "./failure-words.ts";
import { Leg, type LegRequest } from "./leg.ts";
import { engineFailure, type LegFailure, ownFailure } from "./root-cause.ts";

/** The prefill leg: only whether it failed matters, and that it ends. */
export class PrefillLeg {
  readonly #engine: Engine<PrefillTarget>;
  readonly #ackMs: number;
  readonly #onFailed: (failed: LegFailure) => void;
  readonly #body = new BoundedBody(bodyBytesMax);
  readonly #leg: Leg;
  #head: { readonly status: number; readonly headers: IncomingHttpHeaders } = { status: 0, headers: {} };
  #timer: NodeJS.Timeout | undefined;
  #over = false;

  constructor(
    engine: Engine<PrefillTarget>,
    request: LegRequest,
    ackMs: number,
    onFailed: (failed: LegFailure) => void,
  ) {
    this.#engine = engine;
    this.#ackMs = ackMs;
    this.#onFailed = onFailed;
    this.#leg = new Leg(engine.pool, request, {
      head: (status, headers) => {
        this.#head = { status, headers };
        engine.reach.answered();
      },
      data: (bytes) => {
        if (!this.#body.add(bytes)) this.#failed(`answered more than ${bodyBytesMax} bytes`);
      },
      end: () => this.#finish(),
      error: (words) => {
        engine.reach.failed(words);
        this.#failed(words);
      },
    });
  }

  start(): void {
    this.#engine.open += 1;
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
    this.#onFailed(engineFailure(this.#engine.target.name, { status, headers, body }));
  }

  #failed(words: string): void {
    this.#close();
    this.#onFailed(ownFailure(engineLost(this.#engine.target.name, words)));
  }

  #close(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#leg.cancel();
    this.#engine.open -= 1;
  }
}

const bodyBytesMax = 1024 * 1024;
