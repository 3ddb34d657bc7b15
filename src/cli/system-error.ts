import { PdctlError } from "../contract/errors.ts";
import { placeFault } from "../lib/place-fault.ts";

// What the machine lacks, where the error names no path: a write to what is open already.
const lacks: Readonly<Record<string, { readonly words: string; readonly tryThis: string }>> = {
  ENOSPC: { words: "The disk is full", tryThis: "make room, or set PDCTL_HOME to a folder on another disk" },
  EDQUOT: { words: "This user's share of the disk is used up", tryThis: "make room, or ask for more" },
  EIO: { words: "The disk cannot be read or written", tryThis: "dmesg shows what is wrong with it" },
  EROFS: { words: "The file system is read-only", tryThis: "set PDCTL_HOME to a folder that can be written" },
  EMFILE: { words: "This process may open no more files", tryThis: "a higher limit with ulimit -n" },
  ENFILE: { words: "The machine may open no more files", tryThis: "end what holds many, or raise fs.file-max" },
  ENOMEM: { words: "The machine has no memory left", tryThis: "end something, or use a smaller model" },
};

/** An error of the operating system in a sentence; any other as it is. The machine's trouble is no mistake of ours. */
export function systemError(error: unknown): unknown {
  if (error instanceof PdctlError || !(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  const lack = lacks[code];
  const place = placeFault(error);
  if (lack === undefined && place === undefined) return error;
  const words = place ?? `${lack?.words} (${code})`;
  const tryThis = lack?.tryThis ?? "a folder of your own, with PDCTL_HOME or --socket";
  return new PdctlError("system", `${words}.`, tryThis, { cause: error });
}
