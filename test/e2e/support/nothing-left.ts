import { existsSync } from "node:fs";
import { expect } from "vitest";
import type { Fleet } from "./fleet.ts";
import { filesIn } from "./home.ts";
import { isAlive, processesOf } from "./processes.ts";

/** Shared memory is anonymous: it lives in processes only. What else a fleet could leave has a name. */
export function expectNothingLeft({ home, socket }: Fleet, pids: readonly number[]): void {
  expect(pids.filter(isAlive)).toEqual([]);
  expect(processesOf(home)).toEqual([]);
  expect(existsSync(socket)).toBe(false);
  expect(filesIn(home).filter((name) => /\.sock$|run\/(daemon|watchdog)\.json$/.test(name))).toEqual([]);
}
