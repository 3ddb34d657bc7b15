import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

export function ggmlDir() {
  const platform = process.arch === "arm64" ? "linux-arm64" : "linux-x64";
  return join(root, "node_modules/@node-llama-cpp", platform, "bins", platform);
}

export function modelPath() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const path = join(cache, "pdctl/models/SmolLM2-135M-Instruct.Q4_1.gguf");
  if (!existsSync(path)) throw new Error(`${path} is missing. Run 'bin/pdctl model pull smollm2-135m' first.`);
  return path;
}
