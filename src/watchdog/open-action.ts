import { readFileSync } from "node:fs";

/**
 * What the daemon has begun and not ended, in words, by intents.log: also where the daemon does not answer. A canary
 * and a notification change nothing, so they are no reason to wait.
 */
export function openAction(path: string): string | undefined {
  const open = new Map<string, string>();
  for (const line of linesOf(path)) {
    if (line.kind === "begin" && line.action?.id !== undefined) {
      open.set(line.action.id, `${line.action.action} of ${line.action.target}`);
    }
    if (line.kind === "end" && line.outcome?.actionId !== undefined) open.delete(line.outcome.actionId);
  }
  return [...open.values()].find((words) => !/^(canary|notify) /.test(words));
}

type IntentLine = {
  readonly kind?: string;
  readonly action?: { readonly id?: string; readonly action?: string; readonly target?: string };
  readonly outcome?: { readonly actionId?: string };
};

// The file is longer than its lines: what follows them is zero.
function linesOf(path: string): IntentLine[] {
  return textOf(path)
    .split("\n")
    .flatMap((text) => lineOf(text) ?? []);
}

function lineOf(text: string): IntentLine | undefined {
  try {
    return JSON.parse(text) as IntentLine;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function textOf(path: string): string {
  try {
    const text = readFileSync(path, "utf8");
    const zero = text.indexOf("\0");
    return zero < 0 ? text : text.slice(0, zero);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
