import { rmSync, statSync } from "node:fs";
import type { ProcessSpec } from "../../drivers/process-spec.ts";
import { writeLaunchFile } from "../../lib/launch-file.ts";
import type { RunFiles } from "../../lib/run-files.ts";
import { startShim } from "../../lib/shim.ts";
import { leftoverGraceMs } from "./end-run.ts";

// What one process has said is read for its last words; older ones are for people.
const limits = { logBytes: 16 * 1024 * 1024, logFiles: 3, graceMs: leftoverGraceMs };

export type SpawnOptions = {
  readonly generation: number;
  /** Throws where this process may not spawn any more. */
  readonly mayAct: () => void;
  readonly signal: AbortSignal;
};

/**
 * Starts the process under a shim, which holds it from here on: it runs on, whatever becomes of this process. Nobody of
 * an earlier run may be left. Returns where its words begin in the log.
 */
export async function spawnRun(spec: ProcessSpec, files: RunFiles, options: SpawnOptions): Promise<number> {
  const { generation, mayAct, signal } = options;
  const { name, argv, env, cwd, readyFile } = spec;
  const { launch, record, members, log } = files;
  mayAct();
  for (const old of [readyFile, members]) rmSync(old, { force: true });
  writeLaunchFile(launch, { name, generation, cwd, log, record, args: argv, env, ...limits });
  signal.throwIfAborted();
  mayAct();
  // Of what it says at its end only its own words count, and not those of the run before.
  const logFrom = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  await startShim(launch);
  return logFrom;
}
