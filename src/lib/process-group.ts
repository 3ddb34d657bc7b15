import { groupMembers, isAlive, type ProcessIdentity, processStat } from "./processes.ts";

/** A process group that was started here: its leader, and whoever has been seen in it. */
export type GroupRecord = {
  readonly bootId: string;
  readonly group: number;
  readonly members: readonly ProcessIdentity[];
};

/** The members of the group that are still there, when it is still the one that was started. */
export function livingMembers(record: GroupRecord): ProcessIdentity[] {
  const found = groupMembers(record.group);
  return found.some((one) => isMember(one, record)) ? found : [];
}

/** Looks who is in the group now; what has been seen before is kept. */
export function refreshed(record: GroupRecord): GroupRecord {
  const living = livingMembers(record).filter((one) => !isMember(one, record));
  if (living.length === 0) return record;
  const members = [...record.members, ...living.map(({ pid, startTicks }) => ({ pid, startTicks }))];
  // A process that forks without end shall not fill the record: the leader and the latest stay.
  return { ...record, members: [...members.slice(0, 1), ...members.slice(1).slice(-membersMax)] };
}

const membersMax = 256;

/** Signals the whole group, but only while someone verified is in it: its number may belong to others by now. */
export function signalGroup(record: GroupRecord, signal: NodeJS.Signals): boolean {
  return livingMembers(record).length > 0 && sent(-record.group, signal);
}

/** Signals one process, if it is still the one that is meant. */
export function signalProcess(one: ProcessIdentity, signal: NodeJS.Signals): boolean {
  return isAlive(one) && sent(one.pid, signal);
}

/** A group that was just started by this process: the child leads it. */
export function newGroup(leader: number, boot: string): GroupRecord {
  const found = processStat(leader);
  // Already gone: nobody can be verified, so nobody is signalled.
  const members = found === undefined ? [] : [{ pid: leader, startTicks: found.startTicks }];
  return { bootId: boot, group: leader, members };
}

/** Takes everyone in the group for its members. True only at the moment when its leader is seen to end. */
export function adopted(record: GroupRecord): GroupRecord {
  const sinceTicks = record.members[0]?.startTicks ?? Number.POSITIVE_INFINITY;
  const born = groupMembers(record.group).filter(({ startTicks }) => startTicks >= sinceTicks);
  return { ...record, members: [...record.members, ...born.map(({ pid, startTicks }) => ({ pid, startTicks }))] };
}

function isMember(one: ProcessIdentity, { members }: GroupRecord): boolean {
  return members.some(({ pid, startTicks }) => pid === one.pid && startTicks === one.startTicks);
}

function sent(target: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}
