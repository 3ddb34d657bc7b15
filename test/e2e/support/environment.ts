import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));
export const pdctl = `${root}bin/pdctl`;

/** What a user's shell has, and a home of the test's own. Settings of the caller's fleet stay out. */
export function environment(home: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !/^(PDCTL_|VITEST|NODE_|FORCE_COLOR)/.test(name),
  );
  return { ...(Object.fromEntries(kept) as Record<string, string>), PDCTL_HOME: home, NO_COLOR: "1", ...more };
}
