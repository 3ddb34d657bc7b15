import { spawn } from "node:child_process";

export type ProgramEnd = { readonly code: number | undefined; readonly stderr: string };

// The reason stands at the end.
const stderrCharactersMax = 4_096;

/** Runs a program to its end, without a shell. The signal ends it. Throws where it cannot be started. */
export async function runProgram(argv: readonly string[], signal: AbortSignal): Promise<ProgramEnd> {
  const [program = "", ...args] = argv;
  return await new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], signal, killSignal: "SIGKILL" });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-stderrCharactersMax);
    });
    child.once("error", (error) => reject(signal.aborted ? signal.reason : error));
    child.once("close", (code) => resolve({ code: code ?? undefined, stderr }));
  });
}
