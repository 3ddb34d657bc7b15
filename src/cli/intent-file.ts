import { readFileSync } from "node:fs";
import { type Intent, intentSchema } from "../contract/saved-fleet.ts";
import type { Places } from "../lib/places.ts";
import { writeEvenWhenFull } from "../lib/write-even-when-full.ts";

/** Writes down what is wished of the fleet. The epoch goes on: it never becomes smaller. */
export function writeIntent({ intent }: Pick<Places, "intent">, wish: "up" | "down"): void {
  const next: Intent = { wish, epoch: readIntent(intent)?.epoch ?? 0 };
  writeEvenWhenFull(intent, `${JSON.stringify(next)}\n`);
}

function readIntent(file: string): Intent | undefined {
  try {
    const parsed = intentSchema.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return parsed.success ? parsed.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error && error.code === "ENOENT"))
      return undefined;
    throw error;
  }
}
