import { PdctlError } from "../contract/errors.ts";
import type { Places } from "../lib/places.ts";
import { heldProcesses } from "./held-processes.ts";
import { knownProcess } from "./known-process.ts";

/** The error that names the processes of a fleet whose daemon is gone; undefined where none is left. */
export function leftAlone(places: Places, cause?: unknown): PdctlError | undefined {
  const names = heldProcesses(places).map(({ name }) => name);
  if (names.length === 0) return undefined;
  return new PdctlError(
    "fleet-not-running",
    `No daemon of fleet ${places.fleet} runs, but these of its processes do: ${names.join(", ")}.`,
    knownProcess(places, "watchdog") === undefined
      ? "pdctl up starts a daemon that takes them over; pdctl down ends them"
      : "the watchdog starts a daemon that takes them over; pdctl down ends them",
    { cause },
  );
}
