import { currentRun } from "./current-run.ts";
import { jsonIn } from "./json-in.ts";
import { allStats, bootId, isAlive, type ProcessIdentity, type ProcessStat } from "./processes.ts";
import { writeWhole } from "./private-files.ts";
import type { RunFiles } from "./run-files.ts";
import { isIdentity, isObject, isOfThisBoot, pidNamespace } from "./run-record.ts";
import { descendantsAmong } from "./shim.ts";

/** What a daemon has seen of a run, for when its shim or its ready file is gone. */
export type SeenRun = {
  readonly members: readonly ProcessIdentity[];
  /** What the process wrote when it became ready. */
  readonly ready?: unknown;
};

// A process that forks without end shall not fill the file.
const membersMax = 256;

/** The last that was seen; they may have left since. Nobody where the file is lost, cut, or of another boot. */
export function seenRun({ members }: RunFiles): SeenRun {
  const found = jsonIn(members);
  if (!isObject(found) || !isOfThisBoot(found) || !Array.isArray(found["members"])) return { members: [] };
  return { members: found["members"].filter(isIdentity), ready: found["ready"] };
}

/** Writes it where the file does not say so already. */
export function keepSeenRun(files: RunFiles, { members, ready }: SeenRun): void {
  const kept = members.slice(0, membersMax).map(({ pid, startTicks }) => ({ pid, startTicks }));
  const before = seenRun(files);
  if (JSON.stringify(before) === JSON.stringify({ members: kept, ready })) return;
  const here = { bootId: bootId(), pidNamespace: pidNamespace() };
  writeWhole(files.members, `${JSON.stringify({ ...here, members: kept, ready })}\n`);
}

/**
 * The members of the run that live: the process, what descends from the shim, and who was seen before. `everyone` is
 * what /proc holds, for whoever looks at many runs.
 */
export function livingMembers(files: RunFiles, everyone: readonly ProcessStat[] = allStats()): ProcessIdentity[] {
  const { shim, child } = currentRun(files) ?? {};
  const heads = [shim, child].filter((head) => head !== undefined);
  const below = heads.flatMap((head) => descendantsAmong(everyone, head));
  const known = [...(child === undefined ? [] : [child]), ...below, ...seenRun(files).members];
  const one = new Map(known.map((identity) => [`${identity.pid} ${identity.startTicks}`, identity]));
  return [...one.values()].filter(isAlive);
}
