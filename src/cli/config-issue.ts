import { configJsonSchema } from "../contract/config.ts";
import { nearest } from "../lib/nearest.ts";
import type { YamlText } from "../lib/yaml-file.ts";
import { type Issue, ruleWords } from "./config-rule-words.ts";

type Path = readonly (string | number)[];

export type IssueWords = { readonly line: number; readonly words: string };

/** Says what is wrong in the file's own terms: the line, the key, and for an unknown key the nearest valid one. */
export function wordsOfIssue(issue: Issue, yaml: YamlText): IssueWords[] {
  const { code, path, keys = [] } = issue;
  const place = pathText(path);
  if (code !== "unrecognized_keys") return [{ line: yaml.lineOf(path), words: `${place}: ${ruleWords(issue)}` }];
  return keys.map((key) => {
    const near = nearest(key, keysAt(path));
    const where = path.length === 0 ? "" : ` in ${place}`;
    const hint =
      near === undefined ? `known keys are ${keysAt(path).join(", ")}` : `the nearest valid key is "${near}"`;
    return { line: yaml.lineOfKey(path, key), words: `unknown key "${key}"${where}: ${hint}` };
  });
}

/** `engines[1].port`, as every message about the configuration spells a place in it. */
export function pathText(path: Path): string {
  if (path.length === 0) return "the file";
  return path.map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`)).join("");
}

type JsonSchema = {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
};

// The keys that the schema knows at a path.
function keysAt(path: Path): string[] {
  let found: readonly JsonSchema[] = [configJsonSchema()];
  for (const step of path) {
    found = found
      .flatMap((schema) => [schema, ...(schema.anyOf ?? [])])
      .flatMap((schema) => {
        const next = typeof step === "number" ? schema.items : schema.properties?.[step];
        return next === undefined ? [] : [next];
      });
  }
  return found
    .flatMap((schema) => [schema, ...(schema.anyOf ?? [])])
    .flatMap(({ properties }) => Object.keys(properties ?? {}));
}
