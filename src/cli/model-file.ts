import { closeSync, openSync, readSync, statSync } from "node:fs";
import { PdctlError } from "../contract/errors.ts";
import { knownModel, knownModels } from "../contract/models.ts";
import { placeFault } from "../lib/place-fault.ts";

/** What is wrong with what names a model; undefined for a known one and for a GGUF file. Fetches nothing. */
export function modelFault(wanted: string): PdctlError | undefined {
  return knownModel(wanted) === undefined ? fileFault(wanted) : undefined;
}

/** Why the path is no GGUF file. A short look, before anything starts; the engine reads all of it. */
export function fileFault(path: string): PdctlError | undefined {
  const found = readable(path, () => statSync(path, { throwIfNoEntry: false }));
  if (found instanceof PdctlError) return found;
  if (found === undefined) {
    const names = knownModels.map(({ name }) => name).join(", ");
    return new PdctlError(
      "model-unknown",
      `"${path}" is neither a known model nor a file.`,
      `a known model (${names}) or the path of a GGUF file`,
    );
  }
  const magic = found.isFile() ? readable(path, () => firstBytes(path)) : "";
  if (magic === "GGUF") return undefined;
  if (magic instanceof PdctlError) return magic;
  const what = found.isFile() ? `its first bytes are ${JSON.stringify(magic)}` : "it is not a file";
  return new PdctlError(
    "model-invalid",
    `${path} is no GGUF file: ${what}.`,
    "GGUF files of the llama architecture are supported",
  );
}

function readable<T>(path: string, look: () => T): T | PdctlError {
  try {
    return look();
  } catch (cause) {
    const fault = placeFault(cause);
    if (fault === undefined) throw cause;
    return new PdctlError("model-invalid", `${fault}.`, `another file, or make ${path} readable for this user`, {
      cause,
    });
  }
}

function firstBytes(path: string): string {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(4);
    return buffer.toString("latin1", 0, readSync(file, buffer, 0, 4, 0));
  } finally {
    closeSync(file);
  }
}
