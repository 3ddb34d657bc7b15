import { expect, test } from "vitest";
import { endingOf } from "../../../src/cli/ending.ts";
import { errorPage } from "../../../src/cli/error-page.ts";
import { exitCodeOf } from "../../../src/cli/exit-codes.ts";
import { BugError, type ErrorCode, PdctlError } from "../../../src/contract/errors.ts";

test.each([
  { code: "engine-start-failed", exit: 1 },
  { code: "config-invalid", exit: 2 },
  { code: "request-ambiguous", exit: 2 },
  { code: "fleet-not-running", exit: 3 },
  { code: "timed-out", exit: 4 },
  { code: "fleet-exists", exit: 5 },
  { code: "interrupted", exit: 130 },
] satisfies { code: ErrorCode; exit: number }[])("$code ends a command with $exit", ({ code, exit }) => {
  expect(exitCodeOf(new PdctlError(code, "", ""))).toBe(exit);
});

test.each([
  { command: "health", exit: 3 },
  { command: "status", exit: 4 },
  { command: "reqs", exit: 2 },
])("a wrong command line of $command ends it with $exit", ({ command, exit }) => {
  const error = new PdctlError("usage", `pdctl ${command} takes no argument; found "x".`, "");
  expect(endingOf(error, { command, argv: [command, "x"] })).toMatchObject({ exit, data: "" });
});

test.each([["-o", "nagios"], ["-onagios"], ["--output", "nagios"], ["--output=nagios"]])(
  "a check that cannot be made says why on its first line: %s %s",
  (...flags) => {
    const asked = { command: "health", argv: ["health", ...flags, "--foo"] };
    const { data, exit } = endingOf(new PdctlError("usage", "Unknown flag --foo.", ""), asked);
    expect({ data, exit }).toEqual({ data: "PDCTL UNKNOWN - Unknown flag --foo.\n", exit: 3 });
  },
);

test("a full disk is no mistake of ours: a sentence, what to try, and no stack", () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  const { talk, exit } = endingOf(full, { command: "record", argv: ["record"] });
  expect({ talk, exit }).toEqual({
    talk: "Error: The disk is full (ENOSPC).\n  Try: make room, or set PDCTL_HOME to a folder on another disk\n  (system)\n",
    exit: 1,
  });
});

test("our own mistake ends a command with 1 and shows where it happened", () => {
  const bug = new BugError("no process is named decode");
  expect(exitCodeOf(bug)).toBe(1);
  expect(errorPage(bug)).toMatch(/mistake in pdctl[\s\S]*no process is named decode[\s\S]*exit-codes\.test/);
});

test("an error of the user is a sentence, what to try and the code, without a stack; Ctrl-C says nothing", () => {
  const error = new PdctlError("port-in-use", "Port 8000 is in use.", "another port with --listen");
  expect(errorPage(error)).toBe("Error: Port 8000 is in use.\n  Try: another port with --listen\n  (port-in-use)\n");
  expect(errorPage(new PdctlError("interrupted", "Interrupted.", ""))).toBe("");
});
