import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const arch = process.arch === "arm64" ? "arm64" : "x64";
let folder = "";
let root = "";

// An installation of its own: the launcher, a built main.js, and small programs in place of Node.
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pdctl-launcher-"));
  root = join(folder, "lib/node_modules/pdctl");
  mkdirSync(join(root, "bin"), { recursive: true });
  copyFileSync("bin/pdctl", join(root, "bin/pdctl"));
  write(join(root, "dist/main.js"), "");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("runs the pinned Node of a checkout, with every argument as it is", () => {
  node(join(root, `node_modules/node-linux-${arch}/bin/node`), "pinned");
  expect(launch(["a b", "--c"]).stdout).toBe(`pinned ${root}/dist/main.js a b --c\n`);
});

test("runs the pinned Node that lies beside an installed package", () => {
  node(join(root, `../node-linux-${arch}/bin/node`), "hoisted");
  expect(launch([]).stdout).toContain("hoisted");
});

test("runs through a symlink to a symlink", () => {
  node(join(root, `node_modules/node-linux-${arch}/bin/node`), "pinned");
  mkdirSync(join(folder, "bin"));
  symlinkSync("../lib/node_modules/pdctl/bin/pdctl", join(folder, "bin/pdctl"));
  symlinkSync(join(folder, "bin/pdctl"), join(folder, "pd"));
  expect(launch([], join(folder, "pd")).stdout).toContain(`pinned ${root}/dist/main.js`);
});

test("runs what PDCTL_NODE names before all others", () => {
  node(join(root, `node_modules/node-linux-${arch}/bin/node`), "pinned");
  node(join(folder, "mine"), "mine");
  expect(launch([], undefined, { PDCTL_NODE: join(folder, "mine") }).stdout).toContain("mine");
});

test.each(["v22.19.0", "v22.20.1", "v24.0.0", "v100.1.2"])("runs a system Node %s", (version) => {
  node(join(folder, "path/node"), "system", version);
  expect(launch([]).stdout).toContain("system");
});

test.each(["v20.20.2", "v22.18.9", "v9.9.9"])("refuses a system Node %s and says what to do", (version) => {
  node(join(folder, "path/node"), "system", version);
  const { status, stderr } = launch([]);
  expect(status).toBe(1);
  expect(stderr).toBe(
    `pdctl: Node.js >= 22.19 is needed, 'node' on PATH is ${version}. Run 'npm ci' in ${root} for the pinned one.\n`,
  );
});

test("says what to do where there is no Node at all", () => {
  const { status, stderr } = launch([]);
  expect(status).toBe(1);
  expect(stderr).toContain(`no Node.js was found. Run 'npm ci' in ${root}`);
});

test("says what to run where nothing is built", () => {
  node(join(root, `node_modules/node-linux-${arch}/bin/node`), "pinned");
  rmSync(join(root, "dist"), { recursive: true });
  const { status, stderr } = launch([]);
  expect(status).toBe(1);
  expect(stderr).toContain(`not built yet. Run 'npm ci', or 'npm run build', in ${root}.`);
});

test("the shim runs without any Node, with every argument as it is", () => {
  write(join(root, "dist/pdctl-shim"), '#!/bin/sh\necho shim "$@"\n');
  expect(launch(["shim", "signal", "SIGTERM", "7:1"]).stdout).toBe("shim signal SIGTERM 7:1\n");
});

test("help on the shim, and a shim that is not built, are Node's to answer", () => {
  node(join(root, `node_modules/node-linux-${arch}/bin/node`), "pinned");
  expect(launch(["shim", "lock"]).stdout).toBe(`pinned ${root}/dist/main.js shim lock\n`);
  write(join(root, "dist/pdctl-shim"), "#!/bin/sh\necho shim\n");
  expect(launch(["shim", "--help"]).stdout).toBe(`pinned ${root}/dist/main.js shim --help\n`);
});

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o755 });
}

function node(path: string, name: string, version = "v24.22.3"): void {
  write(path, `#!/bin/sh\nif [ "$1" = --version ]; then echo ${version}; else echo ${name} "$@"; fi\n`);
}

// The PATH holds what the launcher itself uses, and no Node but the test's.
function launch(args: readonly string[], launcher = join(root, "bin/pdctl"), env: Record<string, string> = {}) {
  const path = join(folder, "path");
  mkdirSync(path, { recursive: true });
  for (const tool of ["uname", "readlink", "dirname"]) {
    rmSync(join(path, tool), { force: true });
    symlinkSync(join("/usr/bin", tool), join(path, tool));
  }
  return spawnSync(launcher, args, { env: { PATH: path, ...env }, encoding: "utf8", timeout: 60_000 });
}
