import type { Failure } from "../../contract/failure-status.ts";
import type { NativeEvent } from "../native.ts";

/** Takes what a step brought to one request. */
export type EventSink = (event: NativeEvent) => void;

/** The answers that are being written, by request id. Bounded by the engine, which refuses more than it can hold. */
export class LiveAnswers {
  readonly #sinks = new Map<string, EventSink>();

  get size(): number {
    return this.#sinks.size;
  }

  open(id: string, sink: EventSink): void {
    this.#sinks.set(id, sink);
  }

  /** Later events of the id are dropped: its client has had an end. */
  close(id: string): void {
    this.#sinks.delete(id);
  }

  /** All that one step brought, in order. */
  deliver(events: readonly NativeEvent[]): void {
    for (const event of events) this.#sinks.get(event.id)?.(event);
  }

  /** Ends what the engine left open. */
  failAll(failure: Failure): void {
    for (const [id, sink] of [...this.#sinks]) sink({ id, kind: "failed", failure });
  }
}
