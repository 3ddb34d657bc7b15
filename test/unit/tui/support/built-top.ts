import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { bundleOptions } from "../../../../scripts/bundle-options.mjs";

/** A pdctl that has no other command but `top`, bundled as all are, in a folder of its own. */
export class BuiltTop {
  readonly folder = mkdtempSync(join(tmpdir(), "pdctl-top-"));

  async build(): Promise<void> {
    const { outputFiles } = await build({
      ...bundleOptions(),
      entryPoints: [
        { in: "src/main.ts", out: "main" },
        { in: "src/commands/top.ts", out: "commands/top" },
        { in: "test/unit/tui/support/crashing-top.ts", out: "crashing-top" },
      ],
      outdir: join(this.folder, "dist"),
    });
    for (const { path, contents } of outputFiles) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, contents);
    }
    copyFileSync("package.json", join(this.folder, "package.json"));
  }

  get main(): string {
    return join(this.folder, "dist/main.js");
  }

  /** The same screen in a program that crashes on SIGCONT. */
  get crashing(): string {
    return join(this.folder, "dist/crashing-top.js");
  }

  get socket(): string {
    return join(this.folder, "d.sock");
  }

  /** An environment of a person at a terminal, whatever the one of the tests is. */
  env(more: Record<string, string> = {}): Record<string, string> {
    const { PATH = "", LANG = "C.UTF-8" } = process.env;
    return { PATH, LANG, TERM: "xterm-256color", PDCTL_SOCKET: this.socket, XDG_CACHE_HOME: this.folder, ...more };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
