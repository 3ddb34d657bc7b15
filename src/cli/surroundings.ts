import { userInfo } from "node:os";
import type { Surroundings } from "../lib/places.ts";

/** This process's environment, user and home. The home is the user database's: cron sets no HOME. */
export function surroundings(): Surroundings {
  return { env: process.env, home: userInfo().homedir, isRoot: process.getuid?.() === 0 };
}
