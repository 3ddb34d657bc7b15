import { readFileSync } from "node:fs";

/** What the file holds; undefined where it is missing or no JSON. */
export function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error && error.code === "ENOENT")) {
      return undefined;
    }
    throw error;
  }
}
