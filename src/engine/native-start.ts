import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { addressText } from "../contract/address.ts";
import { PdctlError } from "../contract/errors.ts";
import type { EngineOptions } from "../contract/process-options.ts";
import { loadNative, type Native, type NativeEngine, type NativeEvent } from "./native.ts";

// The addon's own limit on live requests; one more is refused with queue-full.
const requestsMax = 1024;

/** Loads the addon and starts the engine. What a user can change about a failure is said in words. */
export async function startNative(
  options: EngineOptions,
  secret: string | undefined,
  onStep: (events: readonly NativeEvent[]) => void,
): Promise<NativeEngine> {
  const native = load();
  const { role, modelPath, threads, poolBytes, contextMax, sequencesMax, socketDir, deadlinesMs } = options;
  const { scatteredPages, weightsAsStored, allowFaults, bootstrap } = options;
  try {
    return await native.start(
      {
        ...{ role, modelPath, threads, poolBytes, contextMax, sequencesMax, requestsMax, socketDir, deadlinesMs },
        ...{ scatteredPages, weightsAsStored, allowFaults },
        bootstrapHost: bootstrap.host,
        bootstrapPort: bootstrap.port,
        secret: new TextEncoder().encode(secret ?? ""),
      },
      onStep,
    );
  } catch (error) {
    throw startError(error, options);
  }
}

function load(): Native {
  const path = addonPath();
  try {
    return loadNative(path);
  } catch (error) {
    const words = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new PdctlError(
      "native-missing",
      `The native addon ${path} cannot be loaded: ${words}`,
      "npm ci, then npm run build:native",
      { cause: error },
    );
  }
}

/** dist/pdnative.node: beside the bundle, or in the dist/ of the checkout when the sources run. */
function addonPath(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const places = [".", "..", "../..", "../dist", "../../dist"].map((step) => join(here, step, "pdnative.node"));
  return places.find((place) => existsSync(place)) ?? join(here, "../../dist/pdnative.node");
}

// The addon has one code for all that a model asks for; of these only the pool is the user's own setting.
const poolWords = "but the pool has only";

function startError(error: unknown, { modelPath, bootstrap }: EngineOptions): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const cause = { cause: error };
  switch (error.code) {
    case "model":
      if (error.message.includes(poolWords)) {
        const tryThis = "a larger pool: --pool 256MiB, or pool: 256MiB at the engine in pdctl.yaml";
        return new PdctlError("pool-too-small", `The pool is too small: ${error.message}.`, tryThis, cause);
      }
      return new PdctlError(
        "model-invalid",
        named(modelPath, error.message),
        "pdctl model pull smollm2-135m, or another GGUF of the llama architecture",
        cause,
      );
    case "address-in-use":
      return new PdctlError(
        "port-in-use",
        `Another process listens on ${addressText(bootstrap)}, where decode should reach this engine.`,
        "another --bootstrap, or port 0",
        cause,
      );
    case "system":
      return new PdctlError("system", error.message, "pdctl engine --help", cause);
    default:
      return error;
  }
}

function named(path: string, words: string): string {
  return words.startsWith(path) ? words : `${path}: ${words}`;
}
