import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { expect, test } from "vitest";

// A process of its own, with oclif in it as in a command, since oclif hears stdout's errors, too.
function printing({ to, after }: { readonly to: "/dev/full" | "pipe"; readonly after: string }) {
  const script = `
    await import("@oclif/core");
    const { hearBrokenOutput } = await import("./src/cli/broken-output.ts");
    hearBrokenOutput();
    ${after}`;
  const stdout = to === "pipe" ? "pipe" : openSync(to, "w");
  try {
    const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      stdio: ["ignore", stdout, "pipe"],
    });
    return { status: run.status, stderr: run.stderr };
  } finally {
    if (stdout !== "pipe") closeSync(stdout);
  }
}

test("a full disk behind stdout is one sentence, told once, and no stack", () => {
  const { status, stderr } = printing({
    to: "/dev/full",
    after: 'for (let i = 0; i < 3; i++) process.stdout.write("words\\n");',
  });
  expect(stderr).toBe(
    "Error: The output cannot be written: ENOSPC: no space left on device, write.\n" +
      "  Try: make room where stdout goes, or send it elsewhere\n" +
      "  (system)\n",
  );
  expect(status).toBe(1);
});

test("a reader that has gone is silence", () => {
  const { status, stderr } = printing({
    to: "pipe",
    after: 'process.stdout.emit("error", Object.assign(new Error("gone"), { code: "EPIPE" }));',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
