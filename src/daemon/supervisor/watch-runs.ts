import { type FSWatcher, watch } from "node:fs";
import type { Identity } from "../../contract/run-record.ts";
import { currentRun, unrecordedShim } from "../../lib/current-run.ts";
import { allStats, type ProcessStat } from "../../lib/processes.ts";
import { keepSeenRun, livingMembers } from "../../lib/run-members.ts";
import { askForFiles } from "../../lib/shim.ts";
import { exitOf } from "./await-ready.ts";
import { type Exit, exitWords } from "./launch-failure.ts";
import type { KeeperParts, ProcessKeeper } from "./process-keeper.ts";
import { isThere } from "./process-table.ts";

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
  readonly #watcher: FSWatcher | undefined;
  #seenMs = Number.NEGATIVE_INFINITY;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#watcher = this.#watch();
  }

  /** Looks at all: a shim that was killed writes nothing. */
  lookAtAll(): void {
    const entries = this.#parts.table.all();
    for (const { spec } of entries) this.#look(spec.name);
    const nowMs = this.#parts.nowMs();
    // A look through /proc serves all of them.
    if (nowMs - this.#seenMs < membersEveryMs) return;
    this.#seenMs = nowMs;
    const everyone = allStats();
    for (const { spec } of entries) this.#lookAtMembers(spec.name, everyone);
  }

  close(): void {
    this.#watcher?.close();
  }

  // Where the system has no watch to give, the looks of each tick see the same, a little later.
  #watch(): FSWatcher | undefined {
    const { places, table, log } = this.#parts;
    try {
      const watcher = watch(places.run, (_event, file) => {
        const name = file?.endsWith(".json") ? file.slice(0, -".json".length) : "";
        if (table.has(name)) this.#look(name);
      });
      watcher.on("error", (error) => log.warn({ error }, "the folder of the runs is not watched any more"));
      return watcher.unref();
    } catch (error) {
      log.warn({ error }, "the folder of the runs cannot be watched");
      return undefined;
    }
  }

  #look(name: string): void {
    const { table, keeper } = this.#parts;
    const { state } = table.get(name);
    // A start waits by itself, and so does a stop.
    if (state !== "ready" && state !== "draining") return;
    const exit = exitOf(currentRun(keeper.filesOf(name)));
    if (exit !== undefined) this.#ended(name, exit);
  }

  #ended(name: string, exit: Exit): void {
    const { table, keeper, log, onExit } = this.#parts;
    const failure = `ended by itself with ${exitWords(exit)}`;
    log.error({ process: name, exit }, failure);
    table.enter(name, "failed", { failure, members: [] });
    onExit(name, exit);
    keeper.clear(name).catch((error: unknown) => log.error({ process: name, error }, "not everything of it has ended"));
  }

  #lookAtMembers(name: string, everyone: readonly ProcessStat[]): void {
    const { table, keeper, log, holdsLock } = this.#parts;
    if (!isThere(table.get(name))) return;
    const files = keeper.filesOf(name);
    const members = livingMembers(files, everyone);
    const shim = unrecordedShim(files);
    if (shim !== undefined && holdsLock()) {
      log.warn({ process: name, shim: shim.pid }, "the record of its run is lost: its shim is asked for it");
      askForFiles(shim).catch((error: unknown) => log.warn({ process: name, error }, "its shim cannot be asked"));
    }
    const { members: before, ready } = table.get(name);
    if (!same(members, before)) table.note(name, { members });
    try {
      keepSeenRun(files, { members, ready });
    } catch (error) {
      // On a full disk a later daemon knows fewer of them by name; the shim still knows them all.
      log.warn({ process: name, error }, "the members of its run cannot be written");
    }
  }
}

function same(a: readonly Identity[], b: readonly Identity[]): boolean {
  const key = (all: readonly Identity[]): string => all.map(({ pid, startTicks }) => `${pid} ${startTicks}`).join(",");
  return key(a) === key(b);
}
