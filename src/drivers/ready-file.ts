import { readFileSync } from "node:fs";
import { type Ready, readySchema } from "../contract/launch.ts";

/** What a process wrote when it became ready; undefined while it has not. */
export function readyOf(file: string): Ready | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  return readySchema.parse(JSON.parse(text));
}
