import { afterAll, beforeAll, expect, test } from "vitest";
import { TerminalProgram } from "../unit/tui/support/terminal.ts";
import { pdctl } from "./support/environment.ts";
import { Fleet } from "./support/fleet.ts";
import { stream } from "./support/streams.ts";

let fleet: Fleet;
beforeAll(async () => {
  fleet = await Fleet.start();
});
afterAll(async () => await fleet.end());

test("top shows a real fleet as it changes, at 80×24 and at 160×50, and gives the terminal back", async () => {
  const { CI: _, ...env } = fleet.env;
  const terminal = new TerminalProgram(pdctl, ["top"], {
    columns: 80,
    rows: 24,
    env: { ...env, TERM: "xterm-256color" },
  });
  try {
    await terminal.shows("demo  ✓ ready  epoch ");
    for (const words of ["prefill", "decode", "router", "prefill → decode", "REQUESTS  0 live"])
      await terminal.shows(words);
    const leaving = new AbortController();
    const running = stream(
      fleet.url,
      { prompt: "The capital of France is", max_tokens: 2_000, ignore_eos: true },
      leaving.signal,
    );
    await terminal.shows("REQUESTS  1 live");
    await terminal.until("a rate of tokens", () => /^decode +ready .*% +[\d.]+k? /m.test(terminal.text()));
    terminal.resize({ columns: 160, rows: 50 });
    await terminal.until("the last row", () => terminal.rows().at(-1)?.startsWith("q quit") === true);
    await terminal.shows("DEADLINE");
    leaving.abort();
    await running;
    await terminal.shows("REQUESTS  0 live");
    terminal.types("q");
    expect(await terminal.exit()).toEqual({ code: 0, signal: 0 });
    expect(terminal.isAlternate()).toBe(false);
  } finally {
    terminal.end();
  }
});

test("top without a terminal prints one frame of it", async () => {
  const { code, stdout, stderr } = await fleet.cli(["top"]);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^demo {2}✓ ready {2}epoch \d+/);
  expect(stdout).toContain("prefill → decode");
});
