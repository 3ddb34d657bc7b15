import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listModels, pullModel } from "../../../src/cli/models.ts";
import { DaemonProcess } from "../../../src/cli/daemon-process.ts";
import { compileCacheFolder } from "../../../src/cli/surroundings.ts";
import { knownModels } from "../../../src/contract/models.ts";
import { takeGround } from "../../../src/daemon/ground.ts";
import { type Places, placesOf } from "../../../src/lib/places.ts";

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pdctl-place-"));
  file = join(folder, "a-file");
  writeFileSync(file, "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const signal = new AbortController().signal;
const say = (): void => undefined;
const [model] = knownModels;

function places(root: string): Places {
  return placesOf("demo", { env: { PDCTL_HOME: root }, home: "/none", isRoot: false });
}

test.each([
  { why: "a file", cache: (): string => file, words: "is a file, not a folder" },
  { why: "a place that takes nothing", cache: (): string => "/proc/none", words: "cannot be used" },
])("a model cache below $why is a sentence with its path and XDG_CACHE_HOME", async ({ cache, words }) => {
  const around = { env: { XDG_CACHE_HOME: cache() }, home: "/none", isRoot: false };
  if (model === undefined) throw new Error("no model is known");
  await expect(pullModel(model, around, { signal, say })).rejects.toMatchObject({
    code: "place-invalid",
    message: expect.stringContaining(words) as string,
    tryThis: expect.stringContaining("XDG_CACHE_HOME") as string,
  });
  expect((await listModels(around))[0]?.cached).toBe(false);
});

test.each([
  { why: "a file", root: (): string => file, path: (): string => join(file, "demo") },
  { why: "a place that takes nothing", root: (): string => "/proc/none", path: (): string => "/proc/none" },
])("a fleet's folders below $why are a sentence with the path and PDCTL_HOME", async ({ root, path }) => {
  const wanted = {
    code: "place-invalid",
    message: expect.stringContaining(`${path()} cannot be used`) as string,
    tryThis: "set PDCTL_HOME to a folder of your own",
  };
  await expect(takeGround(places(root()))).rejects.toMatchObject(wanted);
  const start = (): DaemonProcess => new DaemonProcess(places(root()), { lifeline: false });
  expect(start).toThrow(expect.objectContaining(wanted));
});

test.each(["/proc/none", "/etc/passwd"])("without a folder for compiled scripts (%s) there is none", (cache) => {
  expect(compileCacheFolder({ env: { XDG_CACHE_HOME: cache }, home: "/none", isRoot: false })).toBeUndefined();
});

test("a record that cannot be written is told as a place, too", async () => {
  const root = join(folder, "home");
  // A folder stands where the record is to be renamed to.
  mkdirSync(join(root, "demo", "run", "daemon.json", "x"), { recursive: true });
  await expect(takeGround(places(root))).rejects.toMatchObject({ code: "place-invalid" });
});
