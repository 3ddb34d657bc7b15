import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LaunchFile, writeLaunchFile } from "../../../../src/lib/launch-file.ts";
import { descendants, type RunRecord, readRunRecord, signalMembers, startShim } from "../../../../src/lib/shim.ts";
import { until } from "../../../../src/lib/wait.ts";

/** Long enough for any machine; reached only where something is wrong. */
const patienceMs = 25_000;

/** Programs under shims, in a folder of their own, which `end` leaves nothing of. */
export class Held {
  readonly folder = mkdtempSync(join(tmpdir(), "pdctl-shim-"));
  readonly #records = new Set<string>();

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Writes a launch file that runs the shell script, unless `changes` says otherwise. */
  launchFile(script: string, changes: Partial<LaunchFile> = {}): LaunchFile {
    const file: LaunchFile = {
      name: "one",
      generation: 1,
      cwd: this.folder,
      log: this.path("one.log"),
      logBytes: 1_000_000,
      logFiles: 3,
      record: this.path("one.json"),
      graceMs: 500,
      args: ["sh", "-c", script],
      env: { PATH: process.env["PATH"] ?? "" },
      ...changes,
    };
    writeLaunchFile(this.path("one.launch"), file);
    this.#records.add(file.record);
    return file;
  }

  async start(script: string, changes: Partial<LaunchFile> = {}): Promise<RunRecord> {
    const { record } = this.launchFile(script, changes);
    await startShim(this.path("one.launch"));
    return this.recorded(record);
  }

  recorded(record = this.path("one.json")): RunRecord {
    const found = readRunRecord(record);
    if (found === undefined) throw new Error(`no record ${record}`);
    return found;
  }

  async untilEmpty(record = this.path("one.json")): Promise<RunRecord> {
    return await this.until(() => {
      const found = this.recorded(record);
      return found.empty ? found : undefined;
    });
  }

  /** Until the file holds it. */
  async untilHolds(name: string, words: string): Promise<string> {
    return await this.until(() => {
      const text = existsSync(this.path(name)) ? readFileSync(this.path(name), "utf8") : "";
      return text.includes(words) ? text : undefined;
    });
  }

  async until<T>(ask: () => T | undefined): Promise<T> {
    const signal = AbortSignal.timeout(patienceMs);
    const found = await until(ask, { everyMs: 20, limitMs: patienceMs, signal });
    if (found === undefined) throw new Error("it did not come to pass");
    return found;
  }

  async end(): Promise<void> {
    for (const path of this.#records) {
      const record = readRunRecord(path);
      if (record === undefined || record.empty) continue;
      const under = record.child === undefined ? [] : [record.child, ...descendants(record.child)];
      await signalMembers([...descendants(record.shim), ...under], "SIGKILL");
      await this.until(() => readRunRecord(path)?.empty || descendants(record.shim).length === 0 || undefined);
      await signalMembers([record.shim], "SIGKILL");
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
