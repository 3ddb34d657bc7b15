import { randomBytes } from "node:crypto";
import { chmodSync, linkSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "./make-folder.ts";
import { namedAfter } from "./place-fault.ts";

/** Makes a folder that only its owner may enter. Throws where something else stands in its place. */
export function makePrivateFolder(path: string): void {
  makeFolder(path, 0o700);
  const found = lstatSync(path);
  if (!found.isDirectory()) throw new Error(`${path} is not a folder`);
  if (found.uid !== process.getuid?.()) throw new Error(`${path} belongs to another user (uid ${found.uid})`);
  if ((found.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

/** Writes the whole file or nothing: readers see the old content or the new one. */
export function writeWhole(path: string, content: string): void {
  const partial = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    writeFileSync(partial, content, { mode: 0o600, flag: "wx" });
    renameSync(partial, path);
  } catch (error) {
    // Each try on a full disk would leave one more.
    rmSync(partial, { force: true });
    throw namedAfter(path, error);
  }
}

/** The secret in the file, made the first time. Two processes at once get the same one. */
export function secretOf(path: string): string {
  const partial = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  makePrivateFolder(dirname(path));
  try {
    writeFileSync(partial, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
    linkSync(partial, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw namedAfter(path, error);
  } finally {
    rmSync(partial, { force: true });
  }
  return readFileSync(path, "utf8").trim();
}
