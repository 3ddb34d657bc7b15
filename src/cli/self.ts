/** How this program is run again, for the processes of a fleet: the same Node and the same script. */
export function ownProgram(): string[] {
  const [node = process.execPath, script = ""] = process.argv;
  return [node, script];
}
