import { basename } from "node:path";
import { Flags, type Interfaces } from "@oclif/core";
import type { EngineOptions } from "../contract/process-options.ts";
import { addressFlag, durationFlag, processFlags, sizeFlag } from "./process-flags.ts";

/** The flags of `pdctl engine`: the keys of contract/launch.ts, and what only people and tests use. */
export const engineFlags = {
  ...processFlags,
  name: Flags.string({ summary: "Name of the engine, in logs and answers.", default: "engine" }),
  role: Flags.option({
    summary: "What it does.",
    options: ["prefill", "decode", "both"] as const,
    default: "both" as const,
  })(),
  model: Flags.string({ summary: "GGUF file.", helpValue: "FILE", required: true }),
  "served-name": Flags.string({ summary: "What answers call the model. Default: the file's name without .gguf." }),
  bootstrap: addressFlag({
    summary: "Where prefill waits for decode engines.",
    default: { host: "127.0.0.1", port: 0 },
  }),
  peer: addressFlag({
    summary: "Bootstrap address that a decode engine may dial, repeatable. Default: any on this machine.",
    multiple: true,
  }),
  "socket-dir": Flags.string({
    summary: "Folder of the socket that offers shared memory.",
    helpValue: "DIR",
    default: ".",
  }),
  threads: Flags.integer({ summary: "Compute threads.", default: 1, min: 1, max: 256 }),
  pool: sizeFlag({ summary: "Memory for KV pages.", default: 256 * 1024 ** 2 }),
  context: Flags.integer({ summary: "Tokens of prompt and answer together. Default: the model's own.", min: 16 }),
  sequences: Flags.integer({ summary: "Sequences that run at once.", default: 64, min: 1, max: 1024 }),
  "deadline-bootstrap": durationFlag({ summary: "For decode to answer prefill.", default: 300_000 }),
  "deadline-waiting": durationFlag({ summary: "For prefill to show progress to decode.", default: 300_000 }),
  "deadline-inflight": durationFlag({ summary: "For the KV transfer, once prefill has finished.", default: 300_000 }),
  "deadline-queue": durationFlag({ summary: "For the wait for a batch; 0s is none.", default: 0 }),
  "deadline-connect": durationFlag({ summary: "For a connection to another engine.", default: 5_000 }),
  open: Flags.boolean({ summary: "Take control requests and routers without the secret.", default: false }),
  "allow-faults": Flags.boolean({ summary: "Allow fault points to be set.", default: false }),
  "scattered-pages": Flags.boolean({
    hidden: true,
    summary: "Hand out pages that are never neighbours.",
    default: false,
  }),
  "weights-as-stored": Flags.boolean({
    hidden: true,
    summary: "Compute with the weights as the file has them.",
    default: false,
  }),
};

export type EngineFlagValues = Interfaces.InferredFlags<typeof engineFlags>;

export function engineOptions(flags: EngineFlagValues): EngineOptions {
  return {
    name: flags.name,
    role: flags.role,
    modelPath: flags.model,
    servedName: flags["served-name"] ?? basename(flags.model, ".gguf"),
    listen: flags.listen,
    bootstrap: flags.bootstrap,
    allowOpen: flags["allow-open"],
    open: flags.open,
    secretFile: flags["secret-file"],
    peers: flags.peer ?? [],
    socketDir: flags["socket-dir"],
    readyFile: flags["ready-file"],
    threads: flags.threads,
    poolBytes: flags.pool,
    contextMax: flags.context ?? 0,
    sequencesMax: flags.sequences,
    deadlinesMs: {
      bootstrap: flags["deadline-bootstrap"],
      waiting: flags["deadline-waiting"],
      inflight: flags["deadline-inflight"],
      queue: flags["deadline-queue"],
      connect: flags["deadline-connect"],
    },
    allowFaults: flags["allow-faults"],
    scatteredPages: flags["scattered-pages"],
    weightsAsStored: flags["weights-as-stored"],
    stopLimitMs: flags["stop-limit"],
  };
}
