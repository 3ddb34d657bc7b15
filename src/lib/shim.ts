import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { allStats, isAlive, type ProcessIdentity, type ProcessStat } from "./processes.ts";

export { type RunRecord, readRunRecord } from "./run-record.ts";

/** refused: the system does not let us, in words. */
export type Signalled = { readonly kind: "sent" | "gone" } | { readonly kind: "refused"; readonly words: string };

// The program only forks and writes one small file; a loaded machine gets many times what that takes.
const startLimitMs = 20_000;
const signalLimitMs = 10_000;
const saidCharactersMax = 4_096;

/** The shim could not begin: no process is there. */
export class NotBegun extends Error {}

/** dist/pdctl-shim: beside the bundle, or in the dist/ of the checkout when the sources run. */
export function shimPath(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const places = [".", "..", "../..", "../dist", "../../dist"].map((step) => join(here, step, "pdctl-shim"));
  return places.find((place) => existsSync(place)) ?? join(here, "../../dist/pdctl-shim");
}

/**
 * Starts what the launch file says under a shim that outlives this process. Returns once the record is written and the
 * program runs, or could not be run (the record says so). Throws NotBegun, in words, where the shim could not begin.
 *
 * SIGTERM to the shim reaches the program. SIGKILL is for the program and its descendants; the shim ends after them.
 */
export async function startShim(launchFile: string): Promise<void> {
  await shimTalk(["hold", launchFile], { detached: true });
}

/** Asks a shim to write its record again, and its launch file where it cannot be read: they are lost. */
export async function askForFiles(shim: ProcessIdentity): Promise<void> {
  await signalMembers([shim], "SIGHUP");
}

/** Ends with the record of a new generation, or throws with the shim's words, such as that the last one still lives. */
export async function relaunch(launchFile: string): Promise<void> {
  await shimTalk(["relaunch", launchFile], { detached: false });
}

/** Whether exactly this process runs. One that has ended and waits for its parent does not. */
export function isLiving(identity: ProcessIdentity): boolean {
  return isAlive(identity);
}

/** Signals each one that is still the one that is meant, by pidfd. In the order of `identities`. */
export async function signalMembers(
  identities: readonly ProcessIdentity[],
  signal: NodeJS.Signals,
): Promise<readonly Signalled[]> {
  if (identities.length === 0) return [];
  const names = identities.map(({ pid, startTicks }) => `${pid}:${startTicks}`);
  const lines = await linesOf(["signal", signal, ...names]);
  return identities.map((_, index) => signalledOf(lines[index] ?? "refused: the shim said nothing of it"));
}

/** Everyone who descends from the process, itself left out; none where it is not the one that is meant. */
export function descendants(identity: ProcessIdentity): ProcessIdentity[] {
  return descendantsAmong(allStats(), identity);
}

/** The same in a look through /proc that was taken before, for whoever asks of many. */
export function descendantsAmong(everyone: readonly ProcessStat[], identity: ProcessIdentity): ProcessIdentity[] {
  if (!isAlive(identity)) return [];
  const children = Map.groupBy(everyone, ({ parent }) => parent);
  const found: ProcessStat[] = [];
  const of = (pid: number): readonly ProcessStat[] => children.get(pid) ?? [];
  for (let next = of(identity.pid); next.length > 0; next = next.flatMap(({ pid }) => of(pid))) found.push(...next);
  return found.map(({ pid, startTicks }) => ({ pid, startTicks }));
}

// The shim is silent where all is well and lets go of its stderr then, although it runs on.
async function shimTalk(args: readonly string[], { detached }: { readonly detached: boolean }): Promise<void> {
  const child = spawn(shimPath(), args, { detached, stdio: ["ignore", "ignore", "pipe"] });
  child.unref();
  let said = "";
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(0, saidCharactersMax);
  });
  child.stderr.once("close", resolve);
  child.once("error", (error) =>
    reject(new NotBegun(`${shimPath()} cannot be run: ${error.message}`, { cause: error })),
  );
  const limit = setTimeout(() => reject(new NotBegun(`the shim said nothing for ${startLimitMs} ms`)), startLimitMs);
  try {
    await promise;
  } finally {
    clearTimeout(limit);
    child.stderr.destroy();
  }
  if (said !== "") throw new NotBegun(said.trim().replace(/^pdctl-shim: /, ""));
}

async function linesOf(args: readonly string[]): Promise<string[]> {
  return await new Promise((resolve, reject) => {
    execFile(shimPath(), args, { timeout: signalLimitMs, killSignal: "SIGKILL" }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout.trimEnd().split("\n"));
      else reject(new Error(stderr.trim() || error.message, { cause: error }));
    });
  });
}

function signalledOf(line: string): Signalled {
  if (line === "sent" || line === "gone") return { kind: line };
  return { kind: "refused", words: line.replace(/^refused: /, "") };
}
