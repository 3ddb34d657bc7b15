import { type FSWatcher, watch } from "node:fs";
import type { Identity } from "../../contract/run-record.ts";
import { exitOf } from "./await-ready.ts";
import { livingMembers } from "./end-run.ts";
import { type Exit, exitWords } from "./launch-failure.ts";
import type { KeeperParts, ProcessKeeper } from "./process-keeper.ts";
import { runOnRecord, writeMembers } from "./run-files.ts";

// How soon a new member of a run is on record, for whoever comes when this process is gone.
const membersEveryMs = 3_000;

export type WatchParts = KeeperParts & {
  readonly keeper: ProcessKeeper;
  readonly nowMs: () => number;
  readonly onExit: (name: string, exit: Exit) => void;
};

/** Notices when a process ends, started here or adopted: by its record, as soon as the shim writes it. */
export class RunWatch {
  readonly #parts: WatchParts;
  readonly #watcher: FSWatcher;
  readonly #seenMs = new Map<string, number>();

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#watcher = watch(parts.places.run, (_event, file) => {
      const name = file?.endsWith(".json") ? file.slice(0, -".json".length) : "";
      if (parts.table.has(name)) this.#look(name);
    });
    // Without it the looks of each tick see the same, a little later.
    this.#watcher.on("error", (error) => parts.log.warn({ error }, "the folder of the runs is not watched"));
    this.#watcher.unref();
  }

  /** Looks at all: a shim that was killed writes nothing. */
  lookAtAll(): void {
    for (const { spec } of this.#parts.table.all()) this.#look(spec.name);
  }

  close(): void {
    this.#watcher.close();
  }

  #look(name: string): void {
    const { table, keeper } = this.#parts;
    const { state } = table.get(name);
    // A start waits by itself, and so does a stop.
    if (state !== "ready" && state !== "draining") return;
    const exit = exitOf(runOnRecord(keeper.filesOf(name)));
    if (exit === undefined) this.#lookAtMembers(name);
    else this.#ended(name, exit);
  }

  #ended(name: string, exit: Exit): void {
    const { table, keeper, log, onExit } = this.#parts;
    const failure = `ended by itself with ${exitWords(exit)}`;
    log.error({ process: name, exit }, failure);
    table.enter(name, "failed", { failure, members: [] });
    onExit(name, exit);
    keeper.clear(name).catch((error: unknown) => log.error({ process: name, error }, "not everything of it has ended"));
  }

  #lookAtMembers(name: string): void {
    const { table, keeper, nowMs } = this.#parts;
    const at = this.#seenMs.get(name);
    if (at !== undefined && nowMs() - at < membersEveryMs) return;
    this.#seenMs.set(name, nowMs());
    const members = livingMembers(keeper.filesOf(name));
    if (at !== undefined && same(members, table.get(name).members)) return;
    table.note(name, { members });
    writeMembers(keeper.filesOf(name), members);
  }
}

function same(a: readonly Identity[], b: readonly Identity[]): boolean {
  const key = (all: readonly Identity[]): string => all.map(({ pid, startTicks }) => `${pid} ${startTicks}`).join(",");
  return key(a) === key(b);
}
