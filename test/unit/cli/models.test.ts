import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listModels, resolveModel } from "../../../src/cli/models.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pdctl-models-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const talk = { signal: new AbortController().signal, say: (): void => undefined };

async function resolved(wanted: string): Promise<string> {
  return await resolveModel(wanted, { env: { XDG_CACHE_HOME: folder }, home: "/none", isRoot: false }, talk);
}

test("a file that begins as GGUF is taken by its path", async () => {
  const path = join(folder, "own.gguf");
  writeFileSync(path, "GGUF and more");
  expect(await resolved(path)).toBe(path);
});

test("a file of another kind is told by its first bytes", async () => {
  const path = join(folder, "notes.txt");
  writeFileSync(path, "These are words");
  await expect(resolved(path)).rejects.toMatchObject({
    code: "model-invalid",
    message: `${path} is no GGUF file: its first bytes are "Thes".`,
  });
  await expect(resolved(folder)).rejects.toMatchObject({ code: "model-invalid" });
});

test("a word that is neither a model nor a file names the known models", async () => {
  await expect(resolved("smollm")).rejects.toMatchObject({
    code: "model-unknown",
    tryThis: "a known model (smollm2-135m) or the path of a GGUF file",
  });
});

test("known models are listed with where they would lie", async () => {
  const [model] = await listModels({ env: { XDG_CACHE_HOME: folder }, home: "/none", isRoot: false });
  expect(model).toMatchObject({ name: "smollm2-135m", cached: false });
  expect(model?.path).toBe(join(folder, "pdctl", "models", "SmolLM2-135M-Instruct.Q4_1.gguf"));
});
