import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { environment, pdctl } from "./environment.ts";
import { finished } from "./running.ts";

const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");

/** SmolLM2-135M-Instruct: what one token of KV takes follows from these. */
export const model = {
  path: join(cache, "pdctl", "models", "SmolLM2-135M-Instruct.Q4_1.gguf"),
  layers: 30,
  kvHeads: 3,
  headDim: 64,
  contextMax: 8192,
} as const;

/** K and V rows of F16, in every layer. */
export const kvBytesOfToken = model.layers * 2 * model.kvHeads * model.headDim * 2;

/** The model's file; fetched as a user would when the cache is empty. */
export async function modelPath(home: string): Promise<string> {
  if (!existsSync(model.path)) {
    const pull = await finished(pdctl, ["model", "pull", "smollm2-135m"], { env: environment(home) }, 240_000);
    if (pull.code !== 0) throw new Error(`pdctl model pull: ${pull.code}\n${pull.stderr}`);
  }
  return model.path;
}
