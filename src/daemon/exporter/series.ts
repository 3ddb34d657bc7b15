import { Counter, Gauge, type Registry } from "prom-client";

type Labels = Readonly<Record<string, string>>;

export type Point = readonly [Labels, number | undefined];

export type SeriesMeaning = {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** Read when somebody reads the metrics. A value that is not known has no series, and whoever is gone has none. */
  readonly points: () => readonly Point[];
};

/** A value that goes up and down. */
export function gauge(registry: Registry, { name, help, labels, points }: SeriesMeaning): void {
  new Gauge({
    name,
    help,
    labelNames: [...(labels ?? [])],
    registers: [registry],
    collect() {
      this.reset();
      const known = knownOf(points());
      // One without labels is 0 after a reset: not to be known is something else.
      if (known.length === 0 && labels === undefined) this.remove();
      for (const [of, value] of known) this.set(of, value);
    },
  });
}

/** A value that somebody else counts. */
export function counter(registry: Registry, { name, help, labels, points }: SeriesMeaning): void {
  new Counter({
    name,
    help,
    labelNames: [...(labels ?? [])],
    registers: [registry],
    collect() {
      this.reset();
      const known = knownOf(points());
      if (known.length === 0 && labels === undefined) this.remove();
      for (const [of, value] of known) this.inc(of, value);
    },
  });
}

function knownOf(points: readonly Point[]): readonly (readonly [Labels, number])[] {
  return points.flatMap(([of, value]) =>
    value === undefined || !Number.isFinite(value) ? [] : [[of, value] as const],
  );
}
