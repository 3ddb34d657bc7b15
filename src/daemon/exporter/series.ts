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
export function gauge(registry: Registry, meaning: SeriesMeaning): void {
  new Gauge({
    ...namesOf(registry, meaning),
    collect() {
      refill(this, meaning, (of, value) => this.set(of, value));
    },
  });
}

/** A value that somebody else counts. */
export function counter(registry: Registry, meaning: SeriesMeaning): void {
  new Counter({
    ...namesOf(registry, meaning),
    collect() {
      refill(this, meaning, (of, value) => this.inc(of, value));
    },
  });
}

function namesOf(registry: Registry, { name, help, labels = [] }: SeriesMeaning) {
  return { name, help, labelNames: [...labels], registers: [registry] };
}

/** Takes the old values away and puts in what is known now. */
function refill(
  series: { readonly reset: () => void; readonly remove: () => void },
  { labels, points }: SeriesMeaning,
  put: (of: Labels, value: number) => void,
): void {
  series.reset();
  const known = knownOf(points());
  // One without labels is 0 after a reset: not to be known is something else.
  if (known.length === 0 && labels === undefined) series.remove();
  for (const [of, value] of known) put(of, value);
}

function knownOf(points: readonly Point[]): readonly (readonly [Labels, number])[] {
  return points.flatMap(([of, value]) =>
    value === undefined || !Number.isFinite(value) ? [] : [[of, value] as const],
  );
}
