import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { SavedFleet } from "../contract/saved-fleet.ts";
import type { Places } from "../lib/places.ts";
import { until } from "../lib/wait.ts";
import { identityOnRecord, isSame, livingOnRecord } from "./identity.ts";

// It is there once it has put itself on record; a loaded machine gets many times what that takes.
const recordLimitMs = 30_000;

/** Starts a daemon that outlives this process. False where none has put itself on record in time. */
export async function startDaemon(
  saved: SavedFleet,
  places: Places,
  { beat, signal }: { readonly beat: () => void; readonly signal: AbortSignal },
): Promise<boolean> {
  const before = identityOnRecord(places, "daemon");
  const [program = "", ...script] = saved.self;
  const args = [...script, "daemon", "--fleet", places.fleet, "--socket", saved.socket];
  const talk = openSync(join(places.logs, "daemon.out"), "a", 0o600);
  const child = spawn(program, args, { cwd: saved.cwd, detached: true, stdio: ["ignore", talk, talk] });
  child.unref();
  closeSync(talk);
  const failed = Promise.withResolvers<false>();
  child.once("error", () => failed.resolve(false));
  child.once("exit", () => failed.resolve(false));
  const recorded = until(
    () => {
      beat();
      const now = livingOnRecord(places, "daemon");
      return now !== undefined && !isSame(now, before) ? true : undefined;
    },
    { everyMs: 100, limitMs: recordLimitMs, signal },
  );
  return (await Promise.race([recorded, failed.promise])) ?? false;
}
