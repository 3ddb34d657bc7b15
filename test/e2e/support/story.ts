import { askHealth } from "./daemon.ts";
import type { Fleet } from "./fleet.ts";

/** Watches `/v1/health` until it is closed: every status that it showed, without repetitions, in order. */
export class HealthStory {
  readonly statuses: string[] = [];
  readonly #watching: Promise<void>;
  #closed = false;

  constructor(fleet: Fleet) {
    this.#watching = this.#watch(fleet.socket);
  }

  get now(): string | undefined {
    return this.statuses.at(-1);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#watching;
  }

  async #watch(socket: string): Promise<void> {
    while (!this.#closed) {
      const health = await askHealth(socket).catch(() => undefined);
      if (health !== undefined && health.status !== this.now) this.statuses.push(health.status);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
