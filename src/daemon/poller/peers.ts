import type { EdgeLine, Sample, SeenRequest } from "../../contract/observation.ts";

type Pair = { readonly prefill: string; readonly decode: string };

/** Which two engines a room belongs to. Engines know their peer by its address only; the router knows both by name. */
export class Peers {
  readonly #pairs = new Map<string, Pair>();
  #edges: readonly Pair[] = [];

  learn(samples: readonly Sample[], edges: readonly EdgeLine[]): void {
    if (edges.length > 0) this.#edges = edges;
    for (const { open } of samples) {
      for (const { room, prefill, decode } of open ?? []) {
        if (room === undefined || prefill === undefined || decode === undefined) continue;
        this.#pairs.delete(room);
        this.#pairs.set(room, { prefill, decode });
      }
    }
    for (const [oldest] of this.#pairs) {
      if (this.#pairs.size <= roomsMax) break;
      this.#pairs.delete(oldest);
    }
  }

  /** The sample with its peers by name. Where the name is not known there is none: an address would be no name. */
  named(sample: Sample): Sample {
    if (sample.requests === undefined) return sample;
    const only = this.#onlyPeerOf(sample.id);
    const requests = sample.requests.map(({ peer: _address, ...request }) => {
      const peer = this.#peerOf(sample.id, request) ?? only;
      return request.room === undefined || peer === undefined ? request : { ...request, peer };
    });
    return { ...sample, requests };
  }

  #peerOf(id: string, { room }: Pick<SeenRequest, "room">): string | undefined {
    const pair = room === undefined ? undefined : this.#pairs.get(room);
    return pair === undefined ? undefined : otherOf(pair, id);
  }

  // Of a request that the router has never shown: its client was gone before anyone looked.
  #onlyPeerOf(id: string): string | undefined {
    const [first, ...more] = this.#edges.filter(({ prefill, decode }) => prefill === id || decode === id);
    return first === undefined || more.length > 0 ? undefined : otherOf(first, id);
  }
}

function otherOf({ prefill, decode }: Pair, id: string): string {
  return prefill === id ? decode : prefill;
}

// What is stuck outlives the router's interest in it by far; what is kept is two names a room.
const roomsMax = 16_384;
