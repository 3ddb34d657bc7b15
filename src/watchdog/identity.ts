import { join } from "node:path";
import { z } from "zod";
import { type Identity, identitySchema } from "../contract/run-record.ts";
import { jsonIn } from "../lib/json-in.ts";
import type { Places } from "../lib/places.ts";
import { writeWhole } from "../lib/private-files.ts";
import { bootId, processStat } from "../lib/processes.ts";
import { isLiving } from "../lib/shim.ts";

const roleSchema = identitySchema.extend({ bootId: z.string() });

/** The daemon or watchdog on record, where its numbers mean anything: on this machine since its last boot. */
export function identityOnRecord({ run }: Places, role: "daemon" | "watchdog"): Identity | undefined {
  const found = roleSchema.safeParse(jsonIn(join(run, `${role}.json`))).data;
  return found?.bootId === bootId() ? { pid: found.pid, startTicks: found.startTicks } : undefined;
}

/** The same, where its process is there. */
export function livingOnRecord(places: Places, role: "daemon" | "watchdog"): Identity | undefined {
  const found = identityOnRecord(places, role);
  return found !== undefined && isLiving(found) ? found : undefined;
}

/** The living daemon: the one on record, else the one that was seen last, whose record may be lost. */
export function livingDaemon(places: Places, seen: Identity | undefined): Identity | undefined {
  return livingOnRecord(places, "daemon") ?? (seen !== undefined && isLiving(seen) ? seen : undefined);
}

/** Puts this process on record as the watchdog. A later one replaces it. */
export function recordSelf({ run }: Places): Identity {
  const self = { pid: process.pid, startTicks: processStat(process.pid)?.startTicks ?? 0 };
  writeWhole(join(run, "watchdog.json"), `${JSON.stringify({ ...self, bootId: bootId() })}\n`);
  return self;
}

export function isSame(one: Identity | undefined, other: Identity | undefined): boolean {
  return one?.pid === other?.pid && one?.startTicks === other?.startTicks;
}
