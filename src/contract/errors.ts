/** How a command ends, by name; the numbers are in cli/exit-codes.ts. */
export type Exit = "done" | "failed" | "usage" | "no-daemon" | "timed-out" | "refused" | "interrupted";

/** Every error a user may meet: how the command ends, and the sentence of its page in the documentation. */
export const errorList = {
  usage: { exit: "usage", sentence: "The command line is not valid." },
  "config-unreadable": { exit: "usage", sentence: "The configuration file cannot be read." },
  "config-invalid": { exit: "usage", sentence: "The configuration is not valid." },
  "config-exposed": { exit: "usage", sentence: "Others may write the configuration file." },
  "not-supported": { exit: "usage", sentence: "This version does not do that yet." },
  "place-invalid": { exit: "usage", sentence: "A socket or state folder cannot be used where it is wanted." },
  "port-in-use": { exit: "failed", sentence: "Another process listens on the port." },
  "address-invalid": { exit: "usage", sentence: "The address to listen on is not one of this machine." },
  "model-unknown": { exit: "usage", sentence: "The model is neither a known name nor a file." },
  "model-invalid": { exit: "failed", sentence: "The model file is not one that pdctl can run." },
  "pool-too-small": { exit: "usage", sentence: "The page pool of an engine does not hold one page of its model." },
  "model-pull-failed": { exit: "failed", sentence: "The model could not be fetched." },
  "native-missing": { exit: "failed", sentence: "The native part of pdctl or a library that it needs is missing." },
  "engine-start-failed": { exit: "failed", sentence: "An engine or the router ended while it was starting." },
  "engine-start-timeout": {
    exit: "timed-out",
    sentence: "An engine or the router was not ready within its start deadline.",
  },
  "canary-failed": { exit: "failed", sentence: "The fleet is up but its first request did not go through." },
  "fleet-exists": { exit: "refused", sentence: "Another fleet holds the socket." },
  "fleet-not-running": { exit: "no-daemon", sentence: "No fleet answers on the socket." },
  "fleet-unready": { exit: "refused", sentence: "The fleet is starting or stopping and does not serve." },
  "daemon-unreadable": {
    exit: "failed",
    sentence: "The daemon answered something that this version does not understand.",
  },
  "route-unknown": { exit: "failed", sentence: "The daemon has no such route." },
  "request-unknown": { exit: "failed", sentence: "No record of that request is kept." },
  "request-ambiguous": { exit: "usage", sentence: "More than one request begins with that." },
  "engine-unknown": { exit: "failed", sentence: "The fleet has no engine of that name." },
  "incident-unknown": { exit: "failed", sentence: "No incident of that id is on record." },
  "action-unknown": { exit: "failed", sentence: "No action of that id is on record." },
  "action-failed": { exit: "failed", sentence: "What was asked for was tried and did not work." },
  "action-refused": {
    exit: "refused",
    sentence: "The daemon does not do that now: budget, a running operation, or the wish.",
  },
  "confirmation-needed": { exit: "usage", sentence: "A destructive command without a terminal needs --yes." },
  "recording-invalid": { exit: "usage", sentence: "The recording cannot be read." },
  "journal-unusable": { exit: "failed", sentence: "The journal cannot be read or written." },
  "lock-lost": { exit: "refused", sentence: "Another process has taken over the fleet." },
  "answer-failed": { exit: "failed", sentence: "The fleet did not answer the prompt." },
  "stop-incomplete": { exit: "failed", sentence: "Not everything of the fleet has ended." },
  "timed-out": { exit: "timed-out", sentence: "The work was not done in time." },
  interrupted: { exit: "interrupted", sentence: "Interrupted." },
  system: { exit: "failed", sentence: "The operating system refused something that pdctl needs." },
} as const satisfies Record<string, { readonly exit: Exit; readonly sentence: string }>;

export type ErrorCode = keyof typeof errorList;

/** The user must act: what was expected and found, and what to try. Caught once, in cli/base-command or daemon/api. */
export class PdctlError extends Error {
  override readonly name = "PdctlError";
  readonly code: ErrorCode;
  readonly tryThis: string;

  constructor(code: ErrorCode, message: string, tryThis: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
    this.tryThis = tryThis;
  }
}

/** We must act: something that cannot be, was. Never caught inside. */
export class BugError extends Error {
  override readonly name = "BugError";
}
