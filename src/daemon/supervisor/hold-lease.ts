import type { HoldBody } from "../../contract/router-http.ts";
import type { Door } from "../../drivers/admin.ts";
import { admit, hold } from "../../drivers/embedded-router/control.ts";
import { asked } from "../../lib/asked.ts";
import type { Log } from "../../lib/log.ts";
import { limited, until } from "../../lib/wait.ts";

// Five renewals fit into the lease of 10 s: the router is not let go by one answer that is late.
const renewEveryMs = 2_000;
const askLimitMs = 2_000;
const beginLimitMs = 6_000;

/** New requests wait at the router for as long as this is renewed. When this process dies the lease lapses. */
export class HoldLease {
  readonly #door: () => Door | undefined;
  readonly #body: HoldBody;
  readonly #timer: NodeJS.Timeout;
  readonly #log: Log;

  private constructor(door: () => Door | undefined, body: HoldBody, log: Log) {
    this.#door = door;
    this.#body = body;
    this.#log = log;
    this.#timer = setInterval(() => {
      void this.#renew();
    }, renewEveryMs);
    this.#timer.unref();
  }

  /** Holds, and goes on holding. `told` is false where there is no router that took it. */
  static async begin(
    door: () => Door | undefined,
    body: HoldBody,
    { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
  ): Promise<{ readonly lease: HoldLease; readonly told: boolean }> {
    const lease = new HoldLease(door, body, log);
    try {
      const told = await until(async () => (await lease.#renew(signal)) || undefined, {
        ...{ everyMs: 500, limitMs: beginLimitMs, signal },
      });
      return { lease, told: told ?? false };
    } catch (error) {
      lease.close();
      throw error;
    }
  }

  /** The hold is over: what waits is sent. False where the router did not hear it; then the lease lapses. */
  async admit(signal: AbortSignal): Promise<boolean> {
    this.close();
    const told = await until(
      async () => {
        const door = this.#door();
        if (door === undefined) return undefined;
        const { epoch } = this.#body;
        const answer = await asked(async () => await admit(door, { epoch }, limited(askLimitMs, signal)));
        return answer.kind === "answered" || undefined;
      },
      { everyMs: 500, limitMs: beginLimitMs, signal },
    );
    return told ?? false;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #renew(signal?: AbortSignal): Promise<boolean> {
    const door = this.#door();
    if (door === undefined) return false;
    const answer = await asked(async () => await hold(door, this.#body, limited(askLimitMs, signal)));
    if (answer.kind === "unanswered") this.#log.warn({ why: answer.why }, "the router did not take the hold");
    return answer.kind === "answered";
  }
}
