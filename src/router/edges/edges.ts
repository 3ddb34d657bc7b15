import type { RouterState } from "../../contract/router-http.ts";
import { admits, type Edge, enginesOf, isReachable, lightest, pairOf, type Tally } from "./edge.ts";
import { Engine, type EngineSpec } from "./engine.ts";

export type LostEngine = { readonly name: string; readonly why: string };

type Pair = { readonly prefill: string; readonly decode: string };

/** All engines of a router, and which of them the next request takes. */
export class Edges {
  readonly #connectMs: number;
  #engines: readonly Engine[] = [];
  #edges: ReadonlyMap<string, Edge> = new Map();

  constructor(connectMs: number) {
    this.#connectMs = connectMs;
  }

  /** The whole table. Engines that are not in it any more, or are others by now, lose their connections. */
  put(specs: readonly EngineSpec[], quarantined: readonly Pair[] = []): void {
    const before = this.#engines;
    this.#engines = specs.map((spec) => {
      const same = before.find((engine) => engine.name === spec.name && engine.isThat(spec));
      const engine = same ?? new Engine(spec, this.#connectMs);
      engine.admits = spec.admits;
      return engine;
    });
    const shunned = new Set(quarantined.map(({ prefill, decode }) => pairOf(prefill, decode)));
    this.#edges = new Map(
      pairsOf(this.#engines).map(({ prefill, decode }) => {
        const pair = pairOf(prefill?.name, decode.name);
        return [pair, { prefill, decode, quarantined: shunned.has(pair), tally: this.#tallyOf(pair) }];
      }),
    );
    for (const engine of before) if (!this.#engines.includes(engine)) void engine.end();
  }

  get empty(): boolean {
    return this.#edges.size === 0;
  }

  /**
   * Where the next request goes. An edge that cannot be reached is taken only where there is no other, and never when
   * `reachable` is asked for. Those that could not be reached are asked again, for later requests.
   */
  pick({ without = [], reachable = false }: PickRules = {}): Edge | undefined {
    const allowed = [...this.#edges.values()].filter(
      (edge) => admits(edge) && !enginesOf(edge).some(({ name }) => without.includes(name)),
    );
    const found = allowed.filter(isReachable);
    if (found.length < allowed.length) {
      for (const { reach } of new Set(allowed.flatMap(enginesOf))) if (reach.lost !== undefined) void reach.check();
    }
    return lightest(found.length > 0 || reachable ? found : allowed);
  }

  /** The edge P:D, whether it takes new requests or not. */
  named(pair: string): Edge | undefined {
    return this.#edges.get(pair);
  }

  /** Any engine that knows the model. */
  get first(): Engine | undefined {
    const engines = this.#engines.filter(({ role }) => role !== "prefill");
    return engines.find(({ admits: takes, reach }) => takes && reach.lost === undefined) ?? engines[0];
  }

  /** Asks all engines whether a request could be answered now, and who is missing. */
  async reach(): Promise<{ readonly serves: boolean; readonly lost: readonly LostEngine[] }> {
    const engines = this.#engines;
    await Promise.all(engines.map(async ({ reach }) => reach.check()));
    return {
      serves: [...this.#edges.values()].some((edge) => admits(edge) && isReachable(edge)),
      lost: engines.flatMap(({ name, reach }) => (reach.lost === undefined ? [] : [{ name, why: reach.lost }])),
    };
  }

  counts(): RouterState["edges"] {
    return [...this.#edges.values()].map(({ prefill, decode, tally }) => ({
      prefill: (prefill ?? decode).name,
      decode: decode.name,
      ...tally,
    }));
  }

  async close(): Promise<void> {
    await Promise.all(this.#engines.map(async (engine) => engine.end()));
  }

  #tallyOf(pair: string): Tally {
    return this.#edges.get(pair)?.tally ?? { open: 0, attemptsTotal: 0, okTotal: 0 };
  }
}

export type PickRules = {
  /** Names of engines that are not to be taken. */
  readonly without?: readonly string[];
  readonly reachable?: boolean;
};

function pairsOf(engines: readonly Engine[]): readonly Pick<Edge, "prefill" | "decode">[] {
  const of = (role: EngineSpec["role"]): readonly Engine[] => engines.filter((engine) => engine.role === role);
  return [
    ...of("prefill").flatMap((prefill) => of("decode").map((decode) => ({ prefill, decode }))),
    ...of("both").map((decode) => ({ prefill: undefined, decode })),
  ];
}
