import { readdirSync } from "node:fs";
import type { RunRecord } from "../../contract/run-record.ts";
import type { ProcessSpec } from "../../drivers/process-spec.ts";
import { asked } from "../../lib/asked.ts";
import { currentRun, generationOf, unrecordedShim } from "../../lib/current-run.ts";
import { askJson } from "../../lib/http-json.ts";
import { forgetRun, type RunFiles, runFiles } from "../../lib/run-files.ts";
import { livingMembers } from "../../lib/run-members.ts";
import { runningShims } from "../../lib/running-shims.ts";
import { askForFiles } from "../../lib/shim.ts";
import { limited, until } from "../../lib/wait.ts";
import { exitOf, lastReady, readyNow } from "./await-ready.ts";
import { endRun } from "./end-run.ts";
import { type Exit, exitWords } from "./launch-failure.ts";
import { lockLost } from "./lock-lost.ts";
import type { KeeperParts, ProcessKeeper } from "./process-keeper.ts";

const strangerGraceMs = 5_000;
const probeLimitMs = 2_000;
// One that is stopped or has a full disk does not write; what the kernel says is enough then.
const recordLimitMs = 5_000;
const readyLimitMs = 15_000;
const lookEveryMs = 100;

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
  const record = await runThatIs(files, parts);
  const generation = generationOf(files);
  const known = lastReady(files, spec);
  if (known !== undefined) keeper.remember(name, known);
  if (record === undefined && livingMembers(files).length === 0) {
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
  if (record !== undefined) await adoptLiving(parts, spec, record);
}

async function adoptLiving(parts: AdoptParts, spec: ProcessSpec, record: RunRecord): Promise<void> {
  const { table, keeper, plan, wallMs } = parts;
  const files = keeper.filesOf(spec.name);
  const known = lastReady(files, spec);
  const found = {
    spec: known === undefined ? spec : plan.spec(spec.name, known),
    generation: Math.max(generationOf(files), record.generation),
    members: livingMembers(files),
    ...(record.child === undefined ? {} : { pid: record.child.pid }),
  };
  // That it has written the file means that it served; how it is now is for the detector to say.
  const ready = readyNow(files, spec, record);
  if (ready === undefined) {
    table.add(spec, { ...found, state: "starting" });
    // One that serves writes a lost file again: it gets the time for that, however long ago it was started.
    keeper.awaitAdopted(spec, Math.max(readyLimitMs, spec.startMs - (wallMs() - record.beganUnixMs)));
    return;
  }
  const state = spec.role !== "router" && (await isDraining(ready.url)) ? "draining" : "ready";
  table.add(spec, { ...found, ready, state });
}

// Where only the kernel knows of it its shim is asked for the rest.
async function runThatIs(files: RunFiles, { holdsLock }: AdoptParts): Promise<RunRecord | undefined> {
  const shim = unrecordedShim(files);
  if (shim !== undefined && holdsLock()) {
    await askForFiles(shim);
    const told = (): true | undefined => (unrecordedShim(files) === undefined ? true : undefined);
    const signal = AbortSignal.timeout(2 * recordLimitMs);
    await until(told, { everyMs: lookEveryMs, limitMs: recordLimitMs, signal });
  }
  return currentRun(files);
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
  const launched = readdirSync(places.run).filter((file) => file.endsWith(".launch"));
  const all = [
    ...launched.map((file) => file.slice(0, -".launch".length)),
    ...runningShims(places.run).map(({ name }) => name),
  ];
  return [...new Set(all)].filter((name) => !names.has(name));
}

async function endStranger({ places, log, holdsLock }: AdoptParts, name: string): Promise<void> {
  const files = runFiles(places, name);
  if (!holdsLock() || (currentRun(files) === undefined && livingMembers(files).length === 0)) return;
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
