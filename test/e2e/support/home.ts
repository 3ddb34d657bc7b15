import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A PDCTL_HOME of its own. Short: the path of a Unix socket has 107 bytes. */
export function makeHome(): string {
  return mkdtempSync(join(tmpdir(), "pd-"));
}

export function removeHome(home: string): void {
  rmSync(home, { recursive: true, force: true });
}

/** Every file, socket and folder below a home, as paths relative to it. */
export function filesIn(home: string): string[] {
  return existsSync(home) ? readdirSync(home, { recursive: true, encoding: "utf8" }).sort() : [];
}
