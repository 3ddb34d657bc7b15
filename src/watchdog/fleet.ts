import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineConfig, FleetConfig } from "../contract/config.ts";
import { type Ready, readySchema } from "../contract/launch.ts";
import { type Intent, intentSchema, type SavedFleet } from "../contract/saved-fleet.ts";
import { jsonIn } from "../lib/json-in.ts";
import type { Places } from "../lib/places.ts";

export type WatchedEngine = { readonly name: string; readonly engine: EngineConfig };

/** What the files of the fleet say of it. */
export type Fleet = {
  readonly saved: SavedFleet;
  readonly secret: string;
  readonly engines: readonly WatchedEngine[];
};

export function readIntent(places: Places): Intent | undefined {
  return intentSchema.safeParse(jsonIn(places.intent)).data;
}

/** Maintenance that is over is the wish before it. */
export function wishOf(intent: Intent | undefined, wallMs: number): Intent["wish"] | "unknown" {
  if (intent === undefined) return "unknown";
  const isOver = intent.wish === "maintenance" && intent.until !== undefined && Date.parse(intent.until) <= wallMs;
  return isOver ? "up" : intent.wish;
}

/** What an engine or the router wrote when it became ready; undefined while it has not. */
export function readyOf({ run }: Places, name: string): Ready | undefined {
  return readySchema.safeParse(jsonIn(join(run, `${name}.ready`))).data;
}

/** What verdicts may lead to. Engines that pdctl launches allow everything unless the policy says less. */
export function allowedSteps({ policy, engines }: FleetConfig): readonly string[] {
  const isAttached = engines.some(({ url }) => url !== undefined);
  return policy.act ?? (isAttached ? ["fail"] : ["fail", "co-restart"]);
}

export function heartbeatIn(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
