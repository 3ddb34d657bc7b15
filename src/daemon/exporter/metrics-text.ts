import { Registry } from "prom-client";

export type MetricsFormat = "plain" | "open";

/** The format that a reader prefers, by its Accept header. */
export function formatFor(accept: string | undefined): MetricsFormat {
  const ranges = (accept ?? "").split(",").map(rangeOf);
  const weight = (type: string): number =>
    Math.max(0, ...ranges.filter((one) => one.type === type).map((one) => one.q));
  const open = weight("application/openmetrics-text");
  return open > 0 && open >= weight("text/plain") ? "open" : "plain";
}

/** A registry for one format. prom-client renames its counters when it writes OpenMetrics: no two formats share one. */
export function registryFor(format: MetricsFormat): Registry {
  switch (format) {
    case "plain":
      return new Registry();
    case "open": {
      const registry = new Registry();
      registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as typeof registry.contentType);
      return registry;
    }
  }
}

function rangeOf(text: string): { readonly type: string; readonly q: number } {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const q = parameters.find((one) => one.startsWith("q="))?.slice(2);
  return { type, q: q === undefined ? 1 : Number(q) || 0 };
}
