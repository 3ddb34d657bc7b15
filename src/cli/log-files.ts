import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { PdctlError } from "../contract/errors.ts";

/** One line of a log, without its end. */
export type LogLine = { readonly name: string; readonly text: string };

// What is read of one log at most: the newest part.
const bytesMax = 64 * 1024 * 1024;

/** The logs of a fleet by name, the newest file of each last: NAME.log, and NAME.log.1 and on as they were rotated. */
export function logsIn(folder: string): ReadonlyMap<string, readonly string[]> {
  const found = entries(folder).flatMap((file) => {
    const match = /^(.+)\.(?:log|out)(?:\.(\d+))?$/.exec(file);
    return match === null ? [] : [{ name: nameOf(file), age: Number(match[2] ?? 0), path: join(folder, file) }];
  });
  const names = [...new Set(found.map(({ name }) => name))].sort();
  const filesOf = (wanted: string): string[] =>
    found
      .filter(({ name }) => name === wanted)
      .sort((a, b) => b.age - a.age)
      .map(({ path }) => path);
  return new Map(names.map((name) => [name, filesOf(name)]));
}

/** Those that were named, else all. Throws where one is not there. */
export function chosenLogs(
  logs: ReadonlyMap<string, readonly string[]>,
  names: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  if (names.length === 0) return logs;
  const missing = names.find((name) => !logs.has(name));
  if (missing === undefined) return new Map(names.map((name) => [name, logs.get(name) ?? []]));
  const known = [...logs.keys()].join(", ");
  const tryThis = known === "" ? "nothing has been started here yet: pdctl up" : `one of: ${known}`;
  throw new PdctlError("engine-unknown", `There is no log of "${missing}".`, tryThis);
}

/** The lines of one log over all its files, the oldest first; at most the newest part of it. */
export function linesOf(name: string, files: readonly string[]): LogLine[] {
  const texts: string[] = [];
  let bytes = 0;
  for (const path of [...files].reverse()) {
    if (bytes >= bytesMax) break;
    const text = newestPart(path, bytesMax - bytes);
    bytes += Buffer.byteLength(text);
    texts.unshift(text);
  }
  const lines = texts.join("").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((text) => ({ name, text }));
}

// "daemon.out" holds what a daemon said before it had a log.
function nameOf(file: string): string {
  return file.replace(/\.log(\.\d+)?$/, "").replace(/(\.out)(\.\d+)?$/, "$1");
}

function newestPart(path: string, limit: number): string {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    // Rotated away between two looks.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
  try {
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(size, limit));
    const length = readSync(file, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString("utf8", 0, length);
  } finally {
    closeSync(file);
  }
}

function entries(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder);
}
