import { readdirSync } from "node:fs";
import type { ProcessSpec } from "../../drivers/process-spec.ts";
import { readyOf } from "../../drivers/ready-file.ts";
import { asked } from "../../lib/asked.ts";
import { askJson } from "../../lib/http-json.ts";
import { readLaunchFile } from "../../lib/launch-file.ts";
import { readRunRecord } from "../../lib/shim.ts";
import { limited } from "../../lib/wait.ts";
import { exitOf, readyNow } from "./await-ready.ts";
import { endRun, livingMembers } from "./end-run.ts";
import { type Exit, exitWords } from "./launch-failure.ts";
import { lockLost } from "./lock-lost.ts";
import type { KeeperParts, ProcessKeeper } from "./process-keeper.ts";
import { forgetRun, type RunFiles, runFiles, runOnRecord } from "./run-files.ts";

const strangerGraceMs = 5_000;
const probeLimitMs = 2_000;

export type AdoptParts = KeeperParts & {
  readonly keeper: ProcessKeeper;
  readonly wallMs: () => number;
  /** An operation is gone on with that ends processes: that one has ended is no failure. */
  readonly ending: boolean;
  readonly onExit: (name: string, exit: Exit) => void;
};

/** Takes over what earlier daemons have left: what runs is kept, what has ended is cleared away. */
export async function adoptAll(parts: AdoptParts): Promise<void> {
  const specs = parts.plan.specs();
  const names = new Set(specs.map(({ name }) => name));
  await Promise.all([
    ...specs.map(async (spec) => adopt(parts, spec)),
    ...strangers(parts, names).map(async (name) => endStranger(parts, name)),
  ]);
}

async function adopt(parts: AdoptParts, spec: ProcessSpec): Promise<void> {
  const { table, keeper } = parts;
  const { name } = spec;
  const files = keeper.filesOf(name);
  const generation = generationOf(files);
  const known = knownPorts(spec);
  if (known !== undefined) keeper.remember(name, known);
  const record = runOnRecord(files);
  if (record === undefined) {
    // Never started, stopped in order, or of a time before the last boot.
    forgetRun(files);
    table.add(spec, { generation });
    return;
  }
  const exit = exitOf(record);
  if (exit !== undefined) {
    const left = await endRun(files, { graceMs: 0, now: AbortSignal.abort(), mayAct: mayActOf(parts) });
    const isExpected = parts.ending && left.length === 0;
    if (isExpected) forgetRun(files);
    else parts.onExit(name, exit);
    table.add(spec, {
      generation,
      ...(isExpected ? {} : { state: "failed", failure: `ended while no daemon ran, with ${exitWords(exit)}` }),
    });
    return;
  }
  const pid = record.child === undefined ? {} : { pid: record.child.pid };
  const found = { spec: known === undefined ? spec : parts.plan.spec(name, known), generation, ...pid };
  const members = livingMembers(files);
  // That it has written the file means that it served; how it is now is for the detector to say.
  const ready = readyNow(spec, record);
  if (ready === undefined) {
    table.add(spec, { ...found, members, state: "starting" });
    keeper.awaitAdopted(spec, Math.max(0, spec.startMs - (parts.wallMs() - record.beganUnixMs)));
    return;
  }
  const state = spec.role !== "router" && (await isDraining(ready.url)) ? "draining" : "ready";
  table.add(spec, { ...found, members, ready, state });
}

// How often it was started counts on over daemons, and over stops that have taken the record away.
function generationOf({ record, launch }: RunFiles): number {
  return Math.max(readRunRecord(record)?.generation ?? 0, readLaunchFile(launch)?.generation ?? 0);
}

function knownPorts({ readyFile }: ProcessSpec): ReturnType<typeof readyOf> {
  return readyOf(readyFile);
}

async function isDraining(url: string): Promise<boolean> {
  const health = await asked(
    async () => (await askJson({ url: `${url}/health` }, { signal: limited(probeLimitMs) })).body,
  );
  const body = health.kind === "answered" ? health.value : undefined;
  return typeof body === "object" && body !== null && "status" in body && body.status === "draining";
}

// Processes of this fleet that its configuration does not name any more.
function strangers({ places }: AdoptParts, names: ReadonlySet<string>): string[] {
  return readdirSync(places.run).flatMap((file) => {
    const name = file.endsWith(".launch") ? file.slice(0, -".launch".length) : "";
    return name === "" || names.has(name) ? [] : [name];
  });
}

async function endStranger({ places, log, holdsLock }: AdoptParts, name: string): Promise<void> {
  const files = runFiles(places, name);
  if (!holdsLock() || runOnRecord(files) === undefined) return;
  const now = new AbortController().signal;
  const left = await endRun(files, { graceMs: strangerGraceMs, now, mayAct: mayActOf({ holdsLock }) });
  log.warn({ process: name, left }, "ended what the configuration does not name any more");
  if (left.length === 0) forgetRun(files);
}

function mayActOf({ holdsLock }: Pick<AdoptParts, "holdsLock">): () => void {
  return () => {
    if (!holdsLock()) throw lockLost();
  };
}
