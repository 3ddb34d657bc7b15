import type { ProcessEntry } from "./supervisor/process-table.ts";

/** What `up` says when a process has failed; where the fleet served with it, also what to do now. */
export function failedWords(
  { spec, cause }: Pick<ProcessEntry, "spec" | "cause">,
  { served, logFile }: { readonly served: boolean; readonly logFile: string },
): string[] {
  const failed = line(spec.name, `failed: ${cause}`);
  return served
    ? [failed, line("", `pdctl down, then pdctl up, to serve again; its last words are in ${logFile}`)]
    : [failed];
}

/** What `up` says once a process has been stopped. Nothing of one that was not running any more. */
export function stoppedWords(before: Pick<ProcessEntry, "spec" | "state" | "pid">, after: ProcessEntry): string[] {
  if (before.pid === undefined || before.state === "stopped" || before.state === "failed") return [];
  return after.state === "stopped" ? [line(after.spec.name, "stopped")] : [];
}

function line(name: string, words: string): string {
  return `${name.padEnd(10)} ${words}`;
}
