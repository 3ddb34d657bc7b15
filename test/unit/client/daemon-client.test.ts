import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DaemonClient } from "../../../src/client/daemon-client.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pd-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("where no socket is, no fleet runs", async () => {
  await expect(new DaemonClient(join(folder, "a.sock")).fleet()).rejects.toMatchObject({ code: "fleet-not-running" });
});

test("a file where the socket's folder should be is a place that cannot be used, and no mistake of pdctl", async () => {
  writeFileSync(join(folder, "file"), "");
  const fleet = new DaemonClient(join(folder, "file", "a.sock")).fleet();
  await expect(fleet).rejects.toMatchObject({
    code: "place-invalid",
    message: expect.stringContaining("ENOTDIR") as string,
  });
});
