/** Where a text stops being JSON, in words: V8 names the position of some mistakes only. */
export function jsonFault(text: string): string {
  const open: string[] = [];
  let expected: Expected = "a value";
  let at = 0;
  for (let tokens = 0; ; tokens += 1) {
    if (tokens === tokensMax) return `the mistake is beyond its first ${tokensMax} values and signs`;
    while (at < text.length && " \t\n\r".includes(text.charAt(at))) at += 1;
    const end = text.charAt(at) === '"' ? stringEnd(text, at) : tokenEnd(text, at);
    const next: Expected | undefined = end === undefined ? undefined : follow(expected, text.charAt(at), open);
    if (end === undefined || next === undefined) return words({ text, at, expected });
    expected = next;
    at = end;
  }
}

// The search holds up everything else, and who sends more than this by hand is not helped by a place either.
const tokensMax = 200_000;

type Expected =
  | "a value"
  | "a value or ]"
  | "a name in double quotes"
  | "a name in double quotes or }"
  | ":"
  | ", or ]"
  | ", or }"
  | "nothing more";

/** What may come after a token that begins with `first`; undefined when that token may not stand here. */
function follow(expected: Expected, first: string, open: string[]): Expected | undefined {
  switch (expected) {
    case "a value":
      return afterValue(first, open);
    case "a value or ]":
      return first === "]" ? afterClose(open) : afterValue(first, open);
    case "a name in double quotes":
      return first === '"' ? ":" : undefined;
    case "a name in double quotes or }":
      if (first === "}") return afterClose(open);
      return first === '"' ? ":" : undefined;
    case ":":
      return first === ":" ? "a value" : undefined;
    case ", or ]":
      if (first === ",") return "a value";
      return first === "]" ? afterClose(open) : undefined;
    case ", or }":
      if (first === ",") return "a name in double quotes";
      return first === "}" ? afterClose(open) : undefined;
    case "nothing more":
      return undefined;
  }
}

function afterValue(first: string, open: string[]): Expected | undefined {
  if ("}],:".includes(first)) return undefined;
  if (first === "{" || first === "[") {
    open.push(first);
    return first === "{" ? "a name in double quotes or }" : "a value or ]";
  }
  return within(open);
}

function afterClose(open: string[]): Expected {
  open.pop();
  return within(open);
}

function within(open: readonly string[]): Expected {
  const last = open.at(-1);
  if (last === undefined) return "nothing more";
  return last === "{" ? ", or }" : ", or ]";
}

const plainToken = /[{}[\],:]|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

function tokenEnd(text: string, at: number): number | undefined {
  plainToken.lastIndex = at;
  return plainToken.test(text) ? plainToken.lastIndex : undefined;
}

const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

// A loop and not a pattern: on a string of megabytes a pattern runs out of stack.
function stringEnd(text: string, begin: number): number | undefined {
  for (let at = begin + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return undefined;
    if (code !== 0x5c) continue;
    escaped.lastIndex = at;
    if (!escaped.test(text)) return undefined;
    at = escaped.lastIndex - 1;
  }
  return undefined;
}

function words({ text, at, expected }: { text: string; at: number; expected: Expected }): string {
  const before = text.slice(0, at).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  const found = at >= text.length ? "the text ends" : `there is ${JSON.stringify(text.slice(at, at + 12))}`;
  return `at line ${before.length}, column ${column} ${found} where ${expected} was expected`;
}
