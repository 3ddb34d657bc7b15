/** The part of a schema library's complaint that is used here. `input` is what was found. */
export type FieldIssue = {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly input?: unknown;
  readonly origin?: string;
  readonly expected?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
};

/** `messages[0].role`; empty for the body itself. */
export function fieldOf({ path }: FieldIssue): string {
  const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`));
  return steps.join("").slice(1);
}

/** Says in a sentence what a field must be and what was found. */
export function wordsOfIssue(issue: FieldIssue): string {
  const name = fieldOf(issue) || "The body";
  if (issue.input === undefined) return `${name} is missing.`;
  if (isEmpty(issue.input) && issue.code === "too_small") return `${name} must not be empty.`;
  return `${name} must be ${wanted(issue)}; found ${found(issue.input)}.`;
}

const kinds: Readonly<Record<string, string>> = {
  int: "a whole number",
  number: "a number",
  string: "a string",
  boolean: "true or false",
  array: "a list",
  object: "a JSON object",
};

function wanted({ code, expected = "", minimum, maximum, message }: FieldIssue): string {
  if (code === "too_small") return `at least ${minimum}`;
  if (code === "too_big") return `at most ${maximum}`;
  return kinds[expected] ?? message;
}

function isEmpty(input: unknown): boolean {
  return input === "" || (Array.isArray(input) && input.length === 0);
}

// What may be large is named by its kind only.
function found(input: unknown): string {
  if (typeof input === "string") return JSON.stringify(input.length > 40 ? `${input.slice(0, 40)}…` : input);
  if (input === null || typeof input !== "object") return String(input);
  return Array.isArray(input) ? "a list" : "an object";
}
