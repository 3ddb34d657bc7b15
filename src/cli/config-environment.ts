const prefix = "PDCTL_DEADLINE_";

/** Lays PDCTL_DEADLINE_INFLIGHT=60s and its like over the file's deadlines, before they are checked. */
export function withDeadlinesOf(value: unknown, env: Readonly<Record<string, string | undefined>>): unknown {
  const set = Object.entries(env).flatMap(([name, text]) =>
    name.startsWith(prefix) && text !== undefined ? [[keyOf(name), text] as const] : [],
  );
  if (set.length === 0 || !isMap(value)) return value;
  const deadlines = isMap(value["deadlines"]) ? value["deadlines"] : {};
  return { ...value, deadlines: { ...deadlines, ...Object.fromEntries(set) } };
}

function keyOf(variable: string): string {
  return variable.slice(prefix.length).toLowerCase().replaceAll("_", "-");
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
