import { readFileSync } from "node:fs";
import { type FleetConfig, fleetConfigSchema } from "../contract/config.ts";
import { PdctlError } from "../contract/errors.ts";
import { readFault } from "../lib/place-fault.ts";
import { parseYaml } from "../lib/yaml-file.ts";

/** The policy of a pdctl.yaml, or of a file that holds nothing else. */
export function readPolicy(path: string): FleetConfig["policy"] {
  const yaml = parseYaml(textOf(path));
  if (yaml.kind === "malformed") throw invalid(`${path}:${yaml.line}: not YAML: ${yaml.words}`);
  const whole: unknown = yaml.value ?? {};
  const within = typeof whole === "object" && whole !== null && "policy" in whole;
  const parsed = fleetConfigSchema.shape.policy.safeParse(within ? whole.policy : whole);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = (issue?.path ?? []).map((step) => (typeof step === "symbol" ? String(step) : step));
  const line = yaml.lineOf(within ? ["policy", ...place] : place);
  throw invalid(`${path}:${line}: ${["policy", ...place].join(".")}: ${issue?.message}`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new PdctlError("config-unreadable", `The policy cannot be read: ${readFault(cause)}.`, "give another file", {
      cause,
    });
  }
}

function invalid(words: string): PdctlError {
  return new PdctlError("config-invalid", words, "pdctl config schema shows every key of policy");
}
