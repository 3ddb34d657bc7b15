import { PdctlError } from "../../contract/errors.ts";
import { type Ready, readySchema } from "../../contract/launch.ts";
import type { RunRecord } from "../../contract/run-record.ts";
import type { ProcessSpec } from "../../drivers/process-spec.ts";
import { readyOf } from "../../drivers/ready-file.ts";
import { asked } from "../../lib/asked.ts";
import { currentRun } from "../../lib/current-run.ts";
import { askJson } from "../../lib/http-json.ts";
import type { RunFiles } from "../../lib/run-files.ts";
import { seenRun } from "../../lib/run-members.ts";
import { descendants, isLiving } from "../../lib/shim.ts";
import { limited, until } from "../../lib/wait.ts";
import { type Exit, launchFailure } from "./launch-failure.ts";

const lookEveryMs = 50;
const probeLimitMs = 2_000;
const lost: Exit = { words: "the shim that held it is gone" };

export type AwaitOptions = {
  readonly spec: ProcessSpec;
  readonly limitMs: number;
  /** Where its words begin in the log. */
  readonly logFrom: number;
  readonly signal: AbortSignal;
};

/** Waits until the process has written its ready file and answers; throws when it ends or is late. */
export async function awaitReady(files: RunFiles, { spec, limitMs, logFrom, signal }: AwaitOptions): Promise<Ready> {
  const ready = await until(
    async () => {
      const record = currentRun(files);
      const exit = exitOf(record);
      if (exit !== undefined) throw launchFailure(spec.name, exit, { logFile: files.log, from: logFrom });
      const found = readyNow(files, spec, record);
      return found !== undefined && (await answers(spec, found, signal)) ? found : undefined;
    },
    { everyMs: lookEveryMs, limitMs, signal },
  );
  if (ready !== undefined) return ready;
  throw new PdctlError(
    "engine-start-timeout",
    `${spec.name} was not ready within ${Math.round(spec.startMs / 1_000)} s.`,
    `read ${files.log}, or give it more time with deadlines.start`,
  );
}

/** How the run ended; undefined while it lives. */
export function exitOf(record: RunRecord | undefined): Exit | undefined {
  if (record === undefined) return lost;
  if (record.exit !== undefined) return record.exit;
  // Without its shim a process has nobody who takes its words, and nobody who proves its end: it counts as gone.
  return isLiving(record.shim) ? undefined : lost;
}

/** Where this very run serves, and not one before: by its ready file, or as an earlier daemon has seen it. */
export function readyNow(files: RunFiles, spec: ProcessSpec, record: RunRecord | undefined): Ready | undefined {
  if (record?.child === undefined) return undefined;
  const pids = new Set([record.child, ...descendants(record.shim)].map(({ pid }) => pid));
  return readies(files, spec).find(({ pid }) => pids.has(pid));
}

/** Where it was reached last; a port that was picked once stays. */
export function lastReady(files: RunFiles, spec: ProcessSpec): Ready | undefined {
  return readies(files, spec)[0];
}

function readies(files: RunFiles, { readyFile }: ProcessSpec): Ready[] {
  return [readyOf(readyFile), readySchema.safeParse(seenRun(files).ready).data].filter((ready) => ready !== undefined);
}

// A router has no engines yet when it starts, and says so: that it answers is enough.
async function answers({ role }: ProcessSpec, { url }: Ready, signal: AbortSignal): Promise<boolean> {
  const health = await asked(
    async () => (await askJson({ url: `${url}/health` }, { signal: limited(probeLimitMs, signal) })).status,
  );
  return health.kind === "answered" && (role === "router" || health.value === 200);
}
