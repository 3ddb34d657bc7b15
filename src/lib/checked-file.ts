import { createHash, randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  createReadStream,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "./make-folder.ts";
import { placeFault } from "./place-fault.ts";
import { processStat } from "./processes.ts";

/** A file whose content is known beforehand. */
export type CheckedFile = { readonly path: string; readonly sha256: string; readonly bytes: number };

/** One way to get it: writes the content to the path that it is given, or throws. */
export type Way = { readonly name: string; readonly fetch: (to: string, signal: AbortSignal) => Promise<void> };

export type Obtained =
  | { readonly kind: "cached" }
  | { readonly kind: "fetched"; readonly by: string }
  | { readonly kind: "failed"; readonly tries: readonly string[] };

/** The file from the cache, else by the first way that works: whole and right, or not there at all. Throws where the folder cannot be used. */
export async function obtain(file: CheckedFile, ways: readonly Way[], signal: AbortSignal): Promise<Obtained> {
  makeFolder(dirname(file.path));
  if (await isRight(file)) return { kind: "cached" };
  accessSync(dirname(file.path), constants.W_OK);
  removeAbandoned(file.path);
  const tries: string[] = [];
  for (const { name, fetch } of ways) {
    // Its own name: two at once do not write into each other's file, and the later one replaces like by like.
    const partial = `${file.path}${partialMark}${process.pid}.${randomBytes(4).toString("hex")}`;
    try {
      await fetch(partial, signal);
      await check(partial, file);
      renameSync(partial, file.path);
      mark(file);
      return { kind: "fetched", by: name };
    } catch (error) {
      signal.throwIfAborted();
      tries.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      rmSync(partial, { force: true });
    }
  }
  return { kind: "failed", tries };
}

/** Whether the file is there and right. Its content is read once; later its size and time tell. */
export async function isRight(file: CheckedFile): Promise<boolean> {
  const found = statSync(file.path, { throwIfNoEntry: false });
  if (found === undefined || found.size !== file.bytes) return false;
  if (marked(file.path) === stamp(file, found)) return true;
  if ((await sha256Of(file.path)) !== file.sha256) return false;
  mark(file);
  return true;
}

async function check(path: string, { bytes, sha256 }: CheckedFile): Promise<void> {
  const { size } = statSync(path);
  if (size !== bytes) throw new Error(`${bytes} bytes were expected, ${size} came`);
  const found = await sha256Of(path);
  if (found !== sha256) throw new Error(`its SHA-256 is ${found}, not ${sha256}`);
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path) as AsyncIterable<Buffer>) hash.update(part);
  return hash.digest("hex");
}

const partialMark = ".partial.";

function markPath(path: string): string {
  return `${path}.checked`;
}

function stamp({ sha256 }: CheckedFile, { size, mtimeMs }: { size: number; mtimeMs: number }): string {
  return `${sha256} ${size} ${mtimeMs}`;
}

// Only spares the next reading: in a cache that may be read and not written, the file is read each time.
function mark(file: CheckedFile): void {
  try {
    writeFileSync(markPath(file.path), stamp(file, statSync(file.path)));
  } catch (error) {
    if (placeFault(error) === undefined) throw error;
  }
}

function marked(path: string): string | undefined {
  const found = statSync(markPath(path), { throwIfNoEntry: false });
  return found === undefined ? undefined : readFileSync(markPath(path), "utf8");
}

// What a fetch that was killed has left.
function removeAbandoned(path: string): void {
  const start = basename(path) + partialMark;
  for (const name of readdirSync(dirname(path))) {
    const pid = Number(name.slice(start.length).split(".")[0]);
    if (name.startsWith(start) && processStat(pid) === undefined) {
      rmSync(join(dirname(path), name), { recursive: true, force: true });
    }
  }
}
