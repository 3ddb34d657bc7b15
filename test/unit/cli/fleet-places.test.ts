import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { placesToAsk, placesToStart } from "../../../src/cli/fleet-places.ts";
import type { Surroundings } from "../../../src/lib/places.ts";

let home: string;
let around: Surroundings;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pd-"));
  around = { env: { PDCTL_HOME: home }, home: "/none", isRoot: false };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function started(fleet: string): void {
  mkdirSync(join(home, fleet, "run"), { recursive: true });
  writeFileSync(join(home, fleet, "run", "daemon.json"), "{}");
}

const unnamed = { fleet: undefined, socket: undefined };

test("without a fleet the default one is meant", () => {
  expect(placesToAsk(unnamed, around).fleet).toBe("default");
});

test("the only fleet that was started is meant, until a name is given", () => {
  mkdirSync(join(home, "ended", "run"), { recursive: true });
  started("demo");
  expect(placesToAsk(unnamed, around).fleet).toBe("demo");
  expect(placesToAsk({ ...unnamed, fleet: "ended" }, around).fleet).toBe("ended");
  expect(placesToAsk({ ...unnamed, socket: "/a.sock" }, around).socket).toBe("/a.sock");
});

test("a fleet whose daemon has left no record is meant as long as anybody else of it is on record", () => {
  started("demo");
  rmSync(join(home, "demo", "run", "daemon.json"));
  for (const file of [".decode.json.next", "decode.launch"]) writeFileSync(join(home, "demo", "run", file), "");
  expect(placesToAsk(unnamed, around).fleet).toBe("default");
  writeFileSync(join(home, "demo", "run", "watchdog.json"), "{}");
  expect(placesToAsk(unnamed, around).fleet).toBe("demo");
});

test("where several run one has to be named", () => {
  started("a");
  started("b");
  expect(() => placesToAsk(unnamed, around)).toThrow(/a, b/);
});

test("a socket path that the system cannot take is refused with its length", () => {
  const long = { ...around, env: { PDCTL_HOME: `/${"x".repeat(110)}` } };
  expect(() => placesToStart("demo", long, undefined)).toThrow(/has 121 bytes; the system allows 107/);
});

test.each(["../x", "a/b", ".", "", "Demo", "x".repeat(33)])(
  "a fleet named %j does not lead out of the folder",
  (fleet) => {
    const refusal = expect.objectContaining({
      code: "usage",
      message: expect.stringContaining("name of a fleet") as string,
    });
    expect(() => placesToAsk({ ...unnamed, fleet }, around)).toThrow(refusal);
    expect(() => placesToAsk({ fleet, socket: "/a.sock" }, around)).toThrow(refusal);
    expect(() => placesToStart(fleet, around, undefined)).toThrow(refusal);
  },
);
