import { Pool } from "undici";
import type { EngineTarget, PrefillTarget } from "../contract/process-options.ts";
import type { RouterState } from "../contract/router-http.ts";
import { Reach } from "./reach.ts";

/** One engine behind the router, with its connections and what it has open. */
export type Engine<T extends EngineTarget = EngineTarget> = {
  readonly target: T;
  readonly pool: Pool;
  readonly reach: Reach;
  open: number;
  picked: number;
};

/** Where one request goes: a pair, or one engine that does both. */
export type Edge = {
  readonly prefill: Engine<PrefillTarget> | undefined;
  readonly decode: Engine;
  open: number;
  attemptsTotal: number;
  okTotal: number;
};

export type LostEngine = { readonly name: string; readonly why: string };

export type EngineTargets = {
  readonly prefill: readonly PrefillTarget[];
  readonly decode: readonly EngineTarget[];
  readonly both: readonly EngineTarget[];
  readonly connectMs: number;
};

/** All engines of a router, and which of them the next request takes. */
export class Edges {
  readonly #prefill: readonly Engine<PrefillTarget>[];
  readonly #decode: readonly Engine[];
  readonly #both: readonly Engine[];
  readonly #edges: readonly Edge[];

  constructor({ prefill, decode, both, connectMs }: EngineTargets) {
    const engine = <T extends EngineTarget>(target: T): Engine<T> => ({
      target,
      pool: new Pool(target.url, { pipelining: 1, keepAliveTimeout: keepAliveMs, connect: { timeout: connectMs } }),
      reach: new Reach(target.url),
      open: 0,
      picked: 0,
    });
    this.#prefill = prefill.map(engine);
    this.#decode = decode.map(engine);
    this.#both = both.map(engine);
    this.#edges = [
      ...this.#prefill.flatMap((first) => this.#decode.map((second) => edge(first, second))),
      ...this.#both.map((one) => edge(undefined, one)),
    ];
  }

  /**
   * The engines with the least open; among equals those that have had the least. One that cannot be reached is taken
   * only where there is no other. Undefined: there are none.
   */
  pick(): Edge | undefined {
    const one = leastOpen(reachable(this.#both));
    const prefill = leastOpen(reachable(this.#prefill));
    const decode = leastOpen(reachable(this.#decode));
    const found = this.#edges.find((edge) =>
      one === undefined ? edge.prefill === prefill && edge.decode === decode : edge.decode === one,
    );
    if (found === undefined) return undefined;
    found.attemptsTotal += 1;
    for (const engine of [found.prefill, found.decode]) if (engine !== undefined) engine.picked += 1;
    return found;
  }

  /** Any engine that knows the model. */
  get first(): EngineTarget | undefined {
    return (this.#edges.find(({ decode }) => decode.reach.lost === undefined) ?? this.#edges[0])?.decode.target;
  }

  /** Asks all engines whether a request could be answered now, and who is missing. */
  async reach(): Promise<{ readonly serves: boolean; readonly lost: readonly LostEngine[] }> {
    const engines: readonly Engine[] = [...this.#prefill, ...this.#decode, ...this.#both];
    await Promise.all(engines.map(async ({ reach }) => reach.check()));
    return {
      serves: this.#edges.some(({ prefill, decode }) =>
        [prefill, decode].every((one) => one?.reach.lost === undefined),
      ),
      lost: engines.flatMap(({ target, reach }) =>
        reach.lost === undefined ? [] : [{ name: target.name, why: reach.lost }],
      ),
    };
  }

  counts(): RouterState["edges"] {
    return this.#edges.map(({ prefill, decode, open, attemptsTotal, okTotal }) => ({
      prefill: (prefill ?? decode).target.name,
      decode: decode.target.name,
      ...{ open, attemptsTotal, okTotal },
    }));
  }

  async close(): Promise<void> {
    const engines: readonly Engine[] = [...this.#prefill, ...this.#decode, ...this.#both];
    for (const { reach } of engines) reach.close();
    await Promise.all(engines.map(async ({ pool }) => pool.destroy()));
  }
}

// Shorter than the engines', so that no request meets a connection that is just being closed.
const keepAliveMs = 10_000;

function edge(prefill: Engine<PrefillTarget> | undefined, decode: Engine): Edge {
  return { prefill, decode, open: 0, attemptsTotal: 0, okTotal: 0 };
}

/** Those that answer, or all where none does. Those that did not are asked again, for later requests. */
function reachable<T extends Engine>(engines: readonly T[]): readonly T[] {
  const lost = engines.filter(({ reach }) => reach.lost !== undefined);
  for (const { reach } of lost) void reach.check();
  return lost.length === engines.length ? engines : engines.filter((engine) => !lost.includes(engine));
}

function leastOpen<T extends Engine>(engines: readonly T[]): T | undefined {
  return engines.reduce<T | undefined>((best, engine) => {
    if (best === undefined || engine.open < best.open) return engine;
    return engine.open === best.open && engine.picked < best.picked ? engine : best;
  }, undefined);
}
