import { readFileSync } from "node:fs";

/** What the file holds; undefined where it cannot be read, for whatever reason. */
export function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
