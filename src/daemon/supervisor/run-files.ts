import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Identity, identitySchema, type RunRecord } from "../../contract/run-record.ts";
import type { Places } from "../../lib/places.ts";
import { writeWhole } from "../../lib/private-files.ts";
import { bootId } from "../../lib/processes.ts";
import { readRunRecord } from "../../lib/shim.ts";

/** Where one process keeps what a later daemon finds it by. */
export type RunFiles = {
  readonly launch: string;
  readonly record: string;
  readonly members: string;
  readonly log: string;
};

export function runFiles({ run, logs }: Pick<Places, "run" | "logs">, name: string): RunFiles {
  return {
    launch: join(run, `${name}.launch`),
    record: join(run, `${name}.json`),
    members: join(run, `${name}.members.json`),
    log: join(logs, `${name}.log`),
  };
}

/** The run on record, when it was on this machine since its last boot: only then its numbers mean anything. */
export function runOnRecord(files: RunFiles): RunRecord | undefined {
  const record = readRunRecord(files.record);
  return record !== undefined && isHere(record) ? record : undefined;
}

const membersSchema = z.object({
  bootId: z.string(),
  pidNamespace: z.string(),
  members: z.array(identitySchema),
});

// A process that forks without end shall not fill the file.
const membersMax = 256;

/** Who was last seen in the run; they may have left since. */
export function membersOnRecord({ members }: RunFiles): readonly Identity[] {
  const found = membersSchema.safeParse(jsonIn(members)).data;
  return found !== undefined && isHere(found) ? found.members : [];
}

export function writeMembers({ members }: RunFiles, identities: readonly Identity[]): void {
  const seen = identities.slice(0, membersMax).map(({ pid, startTicks }) => ({ pid, startTicks }));
  writeWhole(members, `${JSON.stringify({ bootId: bootId(), pidNamespace: pidNamespace(), members: seen })}\n`);
}

/** Takes away what names the run, once it is proven that nobody of it is left. */
export function forgetRun({ record, members }: RunFiles): void {
  for (const file of [record, members]) rmSync(file, { force: true });
}

function isHere(found: { readonly bootId: string; readonly pidNamespace: string }): boolean {
  return found.bootId === bootId() && found.pidNamespace === pidNamespace();
}

function pidNamespace(): string {
  return String(statSync("/proc/self/ns/pid").ino);
}

// Not there, or cut by a full disk: nobody can be verified by it.
function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error && error.code === "ENOENT")) {
      return undefined;
    }
    throw error;
  }
}
