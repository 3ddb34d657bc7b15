import type { Sample, SeenRequest } from "../../contract/observation.ts";

/** Takes the requests that pdctl itself sends out of what engines say: they are nobody's work. */
export class Canaries {
  readonly #ids = new Set<string>();

  learn(ids: readonly string[]): void {
    for (const id of ids) {
      this.#ids.delete(id);
      this.#ids.add(id);
    }
    for (const oldest of this.#ids) {
      if (this.#ids.size <= idsMax) break;
      this.#ids.delete(oldest);
    }
  }

  leftOut(sample: Sample): Sample {
    const canaries = sample.requests?.filter(({ id }) => this.#ids.has(id)) ?? [];
    if (sample.requests === undefined || canaries.length === 0) return sample;
    const { inflight_oldest_s: _oldest, ...rest } = sample;
    const requests = sample.requests.filter(({ id }) => !this.#ids.has(id));
    const counts = queues.flatMap(([stage, queue]) => {
      const count = sample[queue];
      return count === undefined ? [] : [[queue, Math.max(0, count - inStage(canaries, stage).length)] as const];
    });
    const ages = inStage(requests, "inflight").flatMap(({ stage_age_s }) => stage_age_s ?? []);
    const oldest = ages.length === 0 ? {} : { inflight_oldest_s: Math.max(...ages) };
    return { ...rest, ...Object.fromEntries(counts), ...oldest, requests };
  }
}

const queues = [
  ["bootstrap", "bootstrap_queue"],
  ["waiting", "waiting"],
  ["running", "running"],
  ["inflight", "inflight"],
  ["prealloc", "prealloc_queue"],
  ["transfer", "transfer_queue"],
] as const;

function inStage(requests: readonly SeenRequest[], stage: SeenRequest["stage"]): readonly SeenRequest[] {
  return requests.filter((one) => one.stage === stage);
}

// One an edge at a time; those that are stuck on an engine are remembered beside them.
const idsMax = 16_384;
