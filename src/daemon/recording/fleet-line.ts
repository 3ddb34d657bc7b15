import { fleetConfigSchema } from "../../contract/config.ts";
import { type FleetLine, fleetLineSchema } from "../../contract/observation.ts";
import type { Policy } from "../detector/view.ts";
import { invalid, issueWords, type Line } from "./lines.ts";

/** The first line: who there is. */
export function fleetOf(line: Line | undefined): FleetLine {
  if (line === undefined) throw invalid(1, 'the recording is empty; its first line has "kind":"fleet"');
  const { value, number } = line;
  if (typeof value !== "object" || value === null || !("kind" in value) || value.kind !== "fleet") {
    throw invalid(number, 'the first line must have "kind":"fleet" and name the engines');
  }
  if ("version" in value && value.version !== 1) {
    throw invalid(number, `version is ${String(value.version)}, and this pdctl reads version 1`);
  }
  const parsed = fleetLineSchema.safeParse(value);
  if (!parsed.success) throw invalid(number, issueWords(parsed.error.issues, value));
  const ids = parsed.data.engines.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw invalid(number, `two engines are called ${twice}`);
  return parsed.data;
}

/** The policy as the recording spells it: like pdctl.yaml, with its defaults. */
export function policyIn({ policy }: FleetLine): Policy {
  const parsed = fleetConfigSchema.shape.policy.safeParse(policy);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(1, `policy.${issue?.path.map(String).join(".")}: ${issue?.message}`, "--policy FILE gives another one");
}
