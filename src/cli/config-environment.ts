import { type FleetConfig, fleetConfigSchema } from "../contract/config.ts";
import { PdctlError } from "../contract/errors.ts";
import { durationSchema } from "../contract/units.ts";
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
  const parsed = durationSchema.safeParse(text);
  if (found !== undefined && parsed.success) return [found.key, parsed.data];
  const names = known.map(({ name }) => name);
  // Without what all of them begin with, which would make each one near.
  const asKey = variable.slice(prefix.length).toLowerCase().replaceAll("_", "-");
  const near = nearest(
    asKey,
    known.map(({ key }) => key),
  );
  throw found === undefined
    ? new PdctlError(
        "config-invalid",
        `The variable ${variable} is no deadline${near === undefined ? "" : `; the nearest is ${nameOf(near)}`}.`,
        `one of ${names.join(", ")}`,
      )
    : new PdctlError("config-invalid", `${variable}=${text} ${parsed.error?.issues[0]?.message}.`, `${variable}=60s`);
}

function nameOf(key: string): string {
  return prefix + key.toUpperCase().replaceAll("-", "_");
}
