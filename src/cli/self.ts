import { PdctlError } from "../contract/errors.ts";

/** How this program is run again, for the processes of a fleet: the same Node and the same script. */
export function ownProgram(): string[] {
  const [node = process.execPath, script = ""] = process.argv;
  return [node, script];
}

/** The one place that knows that there is no background yet. */
export function requireForeground({ foreground }: { readonly foreground: boolean }): void {
  if (foreground) return;
  throw new PdctlError(
    "not-supported",
    "This version runs a fleet in the foreground only.",
    "pdctl up --foreground, in a terminal of its own or under a service manager; or pdctl run --keep PROMPT",
  );
}
