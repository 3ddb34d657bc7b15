import { PdctlError } from "../contract/errors.ts";
import { errorPage } from "./error-page.ts";
import { exitCodeOf } from "./exit-codes.ts";

/** Hears that stdout or stderr cannot be written any more. A reader that has gone is nobody's mistake: silence. */
export function hearBrokenOutput(): void {
  // oclif's own listener throws, which ends in a stack.
  process.stdout.removeAllListeners("error").on("error", tellOnce());
  // Whoever loses talk still has the result.
  process.stderr.on("error", () => undefined);
}

function tellOnce(): (error: NodeJS.ErrnoException) => void {
  let told = false;
  return (error) => {
    if (error.code === "EPIPE" || told) return;
    told = true;
    const lost = outputLost(error);
    process.exitCode = exitCodeOf(lost);
    process.stderr.write(errorPage(lost));
  };
}

function outputLost(cause: NodeJS.ErrnoException): PdctlError {
  return new PdctlError(
    "system",
    `The output cannot be written: ${cause.message}.`,
    "make room where stdout goes, or send it elsewhere",
    { cause },
  );
}
