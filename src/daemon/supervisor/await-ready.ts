import { PdctlError } from "../../contract/errors.ts";
import type { Ready } from "../../contract/launch.ts";
import type { RunRecord } from "../../contract/run-record.ts";
import type { ProcessSpec } from "../../drivers/process-spec.ts";
import { readyOf } from "../../drivers/ready-file.ts";
import { asked } from "../../lib/asked.ts";
import { askJson } from "../../lib/http-json.ts";
import { descendants, isLiving } from "../../lib/shim.ts";
import { limited, until } from "../../lib/wait.ts";
import { type Exit, launchFailure } from "./launch-failure.ts";
import { type RunFiles, runOnRecord } from "./run-files.ts";

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
      const record = runOnRecord(files);
      const exit = exitOf(record);
      if (exit !== undefined) throw launchFailure(spec.name, exit, { logFile: files.log, from: logFrom });
      const found = readyNow(spec, record);
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

/** The ready file, when it was written by this very run and not by one before. */
export function readyNow({ readyFile }: ProcessSpec, record: RunRecord | undefined): Ready | undefined {
  const ready = readyOf(readyFile);
  if (ready === undefined || record?.child === undefined) return undefined;
  const own = ready.pid === record.child.pid || descendants(record.shim).some(({ pid }) => pid === ready.pid);
  return own ? ready : undefined;
}

// A router has no engines yet when it starts, and says so: that it answers is enough.
async function answers({ role }: ProcessSpec, { url }: Ready, signal: AbortSignal): Promise<boolean> {
  const health = await asked(
    async () => (await askJson({ url: `${url}/health` }, { signal: limited(probeLimitMs, signal) })).status,
  );
  return health.kind === "answered" && (role === "router" || health.value === 200);
}
