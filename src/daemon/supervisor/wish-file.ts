import { readFileSync } from "node:fs";
import { type Intent, intentSchema } from "../../contract/saved-fleet.ts";
import { writeEvenWhenFull } from "../../lib/write-even-when-full.ts";

/** The wish on disk; undefined where there is none that can be read. */
export function readWish(path: string): Intent | undefined {
  try {
    return intentSchema.safeParse(JSON.parse(readFileSync(path, "utf8"))).data;
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error && error.code === "ENOENT")) {
      return undefined;
    }
    throw error;
  }
}

/** Notes a new epoch beside the wish, which stays as it is. */
export function writeEpoch(path: string, epoch: number): void {
  const wish = readWish(path);
  if (wish !== undefined && wish.epoch < epoch) writeEvenWhenFull(path, `${JSON.stringify({ ...wish, epoch })}\n`);
}
