import { userInfo } from "node:os";
import { join } from "node:path";
import { cacheFolder, type Surroundings } from "../lib/places.ts";

/** This process's environment, user and home. The home is the user database's: cron sets no HOME. */
export function surroundings(): Surroundings {
  return { env: process.env, home: userInfo().homedir, isRoot: process.getuid?.() === 0 };
}

/** Where Node keeps what it has compiled of this program. */
export function compileCacheFolder(): string {
  return join(cacheFolder(surroundings()), "compile");
}
