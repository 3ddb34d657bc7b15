import { userInfo } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../lib/make-folder.ts";
import { placeFault } from "../lib/place-fault.ts";
import { cacheFolder, type Surroundings } from "../lib/places.ts";

/** This process's environment, user and home. The home is the user database's: cron sets no HOME. */
export function surroundings(): Surroundings {
  return { env: process.env, home: userInfo().homedir, isRoot: process.getuid?.() === 0 };
}

/**
 * Where Node keeps what it has compiled of this program; undefined where no folder can be made. Made here, since
 * Node's own making of it never ends below a file system that refuses new entries with ENOENT.
 */
export function compileCacheFolder(around = surroundings()): string | undefined {
  const folder = join(cacheFolder(around), "compile");
  try {
    makeFolder(folder);
    return folder;
  } catch (error) {
    if (placeFault(error) === undefined) throw error;
    return undefined;
  }
}
