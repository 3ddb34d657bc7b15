/** The part of a schema library's complaint that is used here. `input` is what was found. */
export type Issue = {
  readonly code: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly input?: unknown;
  readonly expected?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly values?: readonly unknown[];
};

/** What a value of the configuration must be, and what was found. */
export function ruleWords(issue: Issue): string {
  if (issue.input === undefined) return `is missing: ${wanted(issue)}`;
  return `${wanted(issue)}; found ${found(issue.input)}`;
}

const kinds: Readonly<Record<string, string>> = {
  int: "a whole number",
  number: "a number",
  string: "a text",
  boolean: "true or false",
  array: "a list",
  object: "a map of keys",
  record: "a map of keys",
};

function wanted(issue: Issue): string {
  // Rules with words of their own begin so; the others speak the schema library's language.
  return issue.message.startsWith("must ") ? issue.message : `must be ${wantedKind(issue)}`;
}

function wantedKind({ code, expected = "", input, minimum, maximum, values, message }: Issue): string {
  if (code === "too_small") return typeof input === "number" ? `at least ${minimum}` : "more than empty";
  if (code === "too_big") return `at most ${maximum}${Array.isArray(input) ? " entries" : ""}`;
  if (values !== undefined) return values.join(", ").replace(/, ([^,]*)$/, " or $1");
  if (code === "invalid_union") return "a text, a number, true or false";
  return kinds[expected] ?? message;
}

// What may be large is named by its kind only.
function found(input: unknown): string {
  if (typeof input === "string") return JSON.stringify(input.length > 40 ? `${input.slice(0, 40)}…` : input);
  if (input === null) return "nothing";
  if (typeof input !== "object") return String(input);
  if (Array.isArray(input)) return input.length === 0 ? "an empty list" : `a list of ${input.length}`;
  return "a map of keys";
}
