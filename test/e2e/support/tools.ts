import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where a tool of this machine lies. */
export function toolPath(name: string): string {
  const found = (process.env.PATH ?? "")
    .split(delimiter)
    .map((dir) => join(dir, name))
    .find(existsSync);
  if (found === undefined) throw new Error(`${name} is not on PATH`);
  return found;
}
