import { type FleetConfig, fleetConfigSchema } from "../contract/config.ts";
import { PdctlError } from "../contract/errors.ts";
import { durationMs } from "../contract/units.ts";
import { nearest } from "../lib/nearest.ts";

const prefix = "PDCTL_DEADLINE_";

/** Lays PDCTL_DEADLINE_INFLIGHT=60s and its like over the deadlines of the configuration. */
export function withDeadlinesOf(config: FleetConfig, env: Readonly<Record<string, string | undefined>>): FleetConfig {
  const set = Object.entries(env).flatMap(([name, text]) =>
    name.startsWith(prefix) && text !== undefined ? [deadlineOf(name, text)] : [],
  );
  return { ...config, deadlines: { ...config.deadlines, ...Object.fromEntries(set) } };
}

function deadlineOf(variable: string, text: string): [string, number] {
  const known = Object.keys(fleetConfigSchema.shape.deadlines.unwrap().shape).map((key) => ({
    key,
    name: nameOf(key),
  }));
  const found = known.find(({ name }) => name === variable);
  const ms = durationMs(text);
  if (found !== undefined && ms !== undefined) return [found.key, ms];
  const names = known.map(({ name }) => name);
  throw found === undefined
    ? new PdctlError(
        "config-invalid",
        `The variable ${variable} is no deadline.`,
        nearest(variable, names) ?? names.join(", "),
      )
    : new PdctlError("config-invalid", `${variable}=${text} is not a duration.`, `${variable}=60s`);
}

function nameOf(key: string): string {
  return prefix + key.toUpperCase().replaceAll("-", "_");
}
