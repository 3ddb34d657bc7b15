import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PdctlError } from "../contract/errors.ts";
import type { Places } from "../lib/places.ts";
import { livingMembers, signalGroup } from "../lib/process-group.ts";
import { bootId } from "../lib/processes.ts";
import { type RunRecord, runRecords } from "../lib/run-records.ts";
import { until } from "../lib/wait.ts";

// Processes whose daemon is gone end by their lifeline; a busy one finishes its step first.
const lifelineLimitMs = 8_000;
const killLimitMs = 10_000;
const lookEveryMs = 50;

/** What a fleet whose daemon is gone has left: ended, proven gone, its files removed. Returns the names that had to be ended. */
export async function endLeftovers(
  places: Places,
  { now, signal }: { now: boolean; signal: AbortSignal },
): Promise<string[]> {
  const left = (): RunRecord[] =>
    runRecords(places.run).filter((one) => one.bootId === bootId() && livingMembers(one).length > 0);
  const gone = (): true | undefined => (left().length === 0 ? true : undefined);
  if (!now) await until(gone, { everyMs: lookEveryMs, limitMs: lifelineLimitMs, signal });
  const ended = left().filter((record) => signalGroup(record, "SIGKILL"));
  await until(gone, { everyMs: lookEveryMs, limitMs: killLimitMs, signal });
  const remaining = left();
  if (remaining.length > 0) {
    const names = remaining
      .map(
        (one) =>
          `${one.name} (${livingMembers(one)
            .map(({ pid }) => pid)
            .join(", ")})`,
      )
      .join(", ");
    throw new PdctlError(
      "stop-incomplete",
      `Processes are left after SIGKILL: ${names}.`,
      "they hang in the kernel: look at /proc/PID/stack, then pdctl down again",
    );
  }
  removeFiles(places);
  return ended.map(({ name }) => name);
}

// Nobody of the fleet lives, so nobody reads or serves these.
function removeFiles({ run, socket }: Places): void {
  for (const name of entries(run)) rmSync(join(run, name), { force: true });
  if (lstatSync(socket, { throwIfNoEntry: false })?.isSocket()) rmSync(socket, { force: true });
}

function entries(folder: string): string[] {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
}
