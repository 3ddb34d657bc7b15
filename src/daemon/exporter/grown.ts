type Count = { readonly generation: number | undefined; readonly last: number; readonly before: number };

/**
 * A counter over several lives of the one who counts. It begins at zero with each generation; what it had reached
 * before is kept, so that what comes out never falls.
 */
export class Grown {
  readonly #counts = new Map<string, Count>();

  /** A count that is not known this time stays as it was. */
  see(key: string, count: number | undefined, generation?: number): void {
    if (count === undefined) return;
    const known = this.#counts.get(key);
    const isNew = known !== undefined && (known.generation !== generation || count < known.last);
    const before = (known?.before ?? 0) + (isNew ? known.last : 0);
    this.#counts.set(key, { generation, last: count, before });
  }

  total(key: string): number | undefined {
    const known = this.#counts.get(key);
    return known === undefined ? undefined : known.before + known.last;
  }

  /** Forgets everyone else: they are gone. */
  keep(keys: ReadonlySet<string>): void {
    for (const key of this.#counts.keys()) if (!keys.has(key)) this.#counts.delete(key);
  }
}
