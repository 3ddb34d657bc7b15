import { readFileSync, statSync } from "node:fs";
import { type FleetConfig, fleetConfigSchema } from "../contract/config.ts";
import { refusals } from "../contract/config-rules.ts";
import { PdctlError } from "../contract/errors.ts";
import { unsupported } from "../contract/supported.ts";
import { readFault } from "../lib/place-fault.ts";
import { parseYaml } from "../lib/yaml-file.ts";
import { withDeadlinesOf } from "./config-environment.ts";
import { pathText, wordsOfIssue } from "./config-issue.ts";
import { modelProblems } from "./config-models.ts";
import type { Issue } from "./config-rule-words.ts";

type Env = Readonly<Record<string, string | undefined>>;

// A handful is read; the rest follow once these are mended.
const problemsShownMax = 8;

export type LoadedConfig = {
  readonly config: FleetConfig;
  /** The uppermost keys that the file itself sets. */
  readonly keys: readonly string[];
};

/** Reads pdctl.yaml, or the defaults without one. Every mistake is named with its line, as is what this version cannot start. */
export function loadConfig(path: string | undefined, env: Env): LoadedConfig {
  if (path === undefined) return parseConfig("", { name: "the default configuration", env });
  return parseConfig(readConfig(path), { name: path, env });
}

/** The same from text; `name` is what messages call it. */
export function parseConfig(text: string, { name, env }: { name: string; env: Env }): LoadedConfig {
  const yaml = parseYaml(text);
  if (yaml.kind === "malformed") throw invalid([`${name}:${yaml.line}: not YAML: ${yaml.words}`]);

  const parsed = fleetConfigSchema.safeParse(yaml.value ?? {}, { reportInput: true });
  if (!parsed.success) {
    const issues = parsed.error.issues as readonly Issue[];
    throw invalid(
      issues.flatMap((issue) => wordsOfIssue(issue, yaml)).map(({ line, words }) => `${name}:${line}: ${words}`),
    );
  }

  const config = withDeadlinesOf(parsed.data, env);
  const testLimits = env["PDCTL_TEST_LIMITS"] === "1";
  const refused = [...refusals(config, { testLimits }), ...unsupported(config), ...modelProblems(config)];
  if (refused.length > 0) {
    throw invalid(refused.map(({ path, words }) => `${name}:${yaml.lineOf(path)}: ${pathText(path)}: ${words}`));
  }
  return { config, keys: Object.keys(yaml.value ?? {}) };
}

function readConfig(path: string): string {
  let text: string;
  let mode: number;
  try {
    mode = statSync(path).mode;
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new PdctlError(
      "config-unreadable",
      `The configuration cannot be read: ${readFault(cause)}.`,
      `give another file with -f, or none for the defaults`,
      { cause },
    );
  }
  // Whoever writes it chooses which programs run as this user.
  if ((mode & 0o002) !== 0) {
    throw new PdctlError(
      "config-exposed",
      `${path} may be written by every user (mode ${(mode & 0o777).toString(8)}).`,
      `chmod o-w ${path}`,
    );
  }
  return text;
}

function invalid(problems: readonly string[]): PdctlError {
  const shown = problems.slice(0, problemsShownMax);
  if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more`);
  return new PdctlError(
    "config-invalid",
    shown.join("\n       "),
    "pdctl config schema shows every key; pdctl.yaml(5) explains them",
  );
}
