import type { Observation } from "../../contract/observation.ts";
import { around, thinMs } from "./retention.ts";

/**
 * Chooses what of the stream of observations is worth keeping: one a target each 10 s, and all around trouble.
 * Lines of logs and raw answers are never kept: they may hold what clients sent.
 */
export class Thinner {
  readonly #lastMs = new Map<string, number>();
  #passed: Observation[] = [];
  #troubleMs: number | undefined;

  keep(
    seen: readonly Observation[],
    { troubled, nowMs }: { readonly troubled: boolean; readonly nowMs: number },
  ): Observation[] {
    if (troubled) this.#troubleMs = nowMs;
    const keepAll = this.#troubleMs !== undefined && nowMs - this.#troubleMs <= around.afterMs;
    const chosen = keepAll ? this.#passed.splice(0) : [];
    for (const one of seen) {
      if (one.kind === "log" || one.kind === "scrape") continue;
      if (keepAll || this.#isDue(one, nowMs)) chosen.push(one);
      else this.#passed.push(one);
    }
    this.#passed = this.#passed.slice(-around.before);
    return chosen;
  }

  #isDue(one: Observation, nowMs: number): boolean {
    if (one.kind !== "sample" && one.kind !== "edge") return true;
    const target = one.kind === "sample" ? one.id : `${one.prefill}:${one.decode}`;
    const lastMs = this.#lastMs.get(target);
    if (lastMs !== undefined && nowMs - lastMs < thinMs) return false;
    this.#lastMs.set(target, nowMs);
    return true;
  }
}
