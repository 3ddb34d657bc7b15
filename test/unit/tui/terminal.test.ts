import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { widthOf } from "../../../src/tui/cells.ts";
import { BuiltTop } from "./support/built-top.ts";
import { FakeDaemon } from "./support/fake-daemon.ts";
import { TerminalProgram } from "./support/terminal.ts";
import { decode, edge, liveView, prefill, request, wedgedView } from "./support/views.ts";

const limitMs = 240_000;
const top = new BuiltTop();
const opened: TerminalProgram[] = [];
let daemon: FakeDaemon;

beforeAll(async () => await top.build(), limitMs);
afterAll(() => top.remove());
beforeEach(async () => {
  daemon = await FakeDaemon.on(top.socket, wedgedView());
});
afterEach(async () => {
  for (const terminal of opened.splice(0)) terminal.end();
  await daemon.end();
});

test(
  "it fills the terminal, follows its size, and q gives the screen back",
  async () => {
    const terminal = open({ columns: 80, rows: 24 });
    await showsWhole(terminal, { columns: 80, rows: 24 });
    expect(terminal.isAlternate()).toBe(true);
    for (const size of [
      { columns: 160, rows: 50 },
      { columns: 60, rows: 20 },
      { columns: 80, rows: 24 },
    ]) {
      terminal.resize(size);
      await showsWhole(terminal, size);
    }
    terminal.types("q");
    expect(await terminal.exit()).toEqual({ code: 0, signal: 0 });
    expect(terminal.isAlternate()).toBe(false);
    expect(terminal.text().trim()).toBe("");
  },
  limitMs,
);

test(
  "a terminal of seven columns and three rows, and back",
  async () => {
    const terminal = open({ columns: 80, rows: 24 });
    await showsWhole(terminal, { columns: 80, rows: 24 });
    terminal.resize({ columns: 7, rows: 3 });
    await terminal.until("three cut rows", () => terminal.rows().every((row) => row.endsWith("…")));
    terminal.resize({ columns: 80, rows: 24 });
    await showsWhole(terminal, { columns: 80, rows: 24 });
  },
  limitMs,
);

test(
  "keys move, sort, hold and help",
  async () => {
    daemon.shows(liveView({ requests: ["a1", "b2", "c3"].map((id, at) => request(id, { stageAgeMs: 9_000 - at })) }));
    const terminal = open({ columns: 100, rows: 30 });
    await terminal.shows("▸ a1");
    terminal.types("jjk");
    await terminal.shows("▸ b2");
    terminal.types("\u001B[B");
    await terminal.shows("▸ c3");
    terminal.types("o");
    await terminal.until("order by age", () => /by age$/m.test(terminal.text()));
    terminal.types("?");
    await terminal.shows("KEYS");
    terminal.types("?");
    await terminal.shows("▸ c3");
    terminal.types("p");
    await terminal.shows("HELD");
    daemon.shows(liveView({ fleet: { epoch: 4 } }));
    terminal.types("p");
    await terminal.shows("epoch 4");
  },
  limitMs,
);

test(
  "names of wide characters leave every column in its place",
  async () => {
    daemon.shows(
      liveView({
        fleet: {
          engines: [prefill("前填一号"), decode("解码二号")],
          edges: [edge("前填一号", "解码二号")],
        },
      }),
    );
    const terminal = open({ columns: 80, rows: 24 });
    await terminal.shows("解码二号");
    // Behind the name, the state and the generation of each engine and the router.
    const verdicts = terminal.rows().flatMap((row) => {
      const before = /^\S+ +ready +1 /.exec(row)?.[0];
      return before === undefined ? [] : [widthOf(before)];
    });
    expect(verdicts, terminal.text()).toEqual([22, 22, 22]);
  },
  limitMs,
);

test.each(["SIGTERM", "SIGHUP", "SIGQUIT"] as const)(
  "%s gives the screen back, also with CI in the environment",
  async (signal) => {
    const terminal = open({ columns: 80, rows: 24 }, { CI: "true" });
    await showsWhole(terminal, { columns: 80, rows: 24 });
    expect(terminal.isAlternate()).toBe(true);
    terminal.kill(signal);
    await terminal.exit();
    expect(terminal.isAlternate()).toBe(false);
    expect(terminal.isCursorHidden()).toBe(false);
  },
  limitMs,
);

test(
  "a crash gives the screen back and leaves its words there",
  async () => {
    const terminal = opens([top.crashing], { columns: 80, rows: 24 });
    await showsWhole(terminal, { columns: 80, rows: 24 });
    terminal.kill("SIGCONT");
    expect((await terminal.exit()).code).not.toBe(0);
    expect(terminal.isAlternate()).toBe(false);
    expect(terminal.isCursorHidden()).toBe(false);
    expect(terminal.text()).toContain("a mistake of the program");
  },
  limitMs,
);

test(
  "Ctrl-C gives the screen back and ends as an interrupted command does",
  async () => {
    const terminal = open({ columns: 80, rows: 24 });
    await showsWhole(terminal, { columns: 80, rows: 24 });
    terminal.types("\u0003");
    expect(await terminal.exit()).toEqual({ code: 130, signal: 0 });
    expect(terminal.isAlternate()).toBe(false);
  },
  limitMs,
);

test(
  "what this version does not understand ends it with a sentence on the screen that was there before",
  async () => {
    const terminal = open({ columns: 80, rows: 24 });
    await showsWhole(terminal, { columns: 80, rows: 24 });
    daemon.shows({ ...wedgedView(), fleet: { ...wedgedView().fleet, epoch: "three" as unknown as number } });
    expect((await terminal.exit()).code).toBe(1);
    expect(terminal.isAlternate()).toBe(false);
    expect(terminal.text()).toContain("(daemon-unreadable)");
  },
  limitMs,
);

test(
  "the silence of the daemon is said beside the last picture, and a new daemon goes on with it",
  async () => {
    const terminal = open({ columns: 80, rows: 24 });
    await showsWhole(terminal, { columns: 80, rows: 24 });
    daemon.freezes();
    await terminal.shows("the daemon does not answer since");
    expect(terminal.text()).toContain("r17");
    await daemon.end();
    daemon = await FakeDaemon.on(top.socket, liveView({ fleet: { epoch: 4 } }));
    await terminal.shows("epoch 4");
    expect(terminal.text()).not.toContain("does not answer");
  },
  limitMs,
);

test(
  "q ends it while the daemon says nothing",
  async () => {
    const terminal = open({ columns: 80, rows: 24 });
    await showsWhole(terminal, { columns: 80, rows: 24 });
    daemon.freezes();
    await terminal.shows("the daemon does not answer since");
    terminal.types("q");
    expect(await terminal.exit()).toEqual({ code: 0, signal: 0 });
  },
  limitMs,
);

test(
  "Ctrl-L draws the whole screen where something else has written into it",
  async () => {
    const terminal = open({ columns: 80, rows: 24 });
    await showsWhole(terminal, { columns: 80, rows: 24 });
    terminal.disturb("\u001B[Hthe printer burns\u001B[24;80H\r\nand smokes\r\n");
    await terminal.shows("and smokes");
    terminal.types("\u000C");
    await showsWhole(terminal, { columns: 80, rows: 24 });
    expect(terminal.text()).not.toContain("and smokes");
  },
  limitMs,
);

test(
  "NO_COLOR leaves the same words without any colour",
  async () => {
    const terminal = open({ columns: 80, rows: 24 }, { NO_COLOR: "1" });
    await showsWhole(terminal, { columns: 80, rows: 24 });
    expect(terminal.text()).toContain("✗ wedge (transfer-stall)");
    expect(terminal.hasColour()).toBe(false);
  },
  limitMs,
);

test(
  "without a terminal it prints one frame and ends with 0; without a daemon with 3",
  async () => {
    const { code, out } = await piped();
    expect(code).toBe(0);
    expect(out).toContain("✗ wedge (transfer-stall)  i7  edge prefill:decode");
    expect(out).not.toContain("\u001B");
    await daemon.end();
    expect(await piped()).toMatchObject({ code: 3, out: "" });
    daemon = await FakeDaemon.on(top.socket, wedgedView());
  },
  limitMs,
);

function open(size: { columns: number; rows: number }, env: Record<string, string> = {}): TerminalProgram {
  return opens([top.main, "top"], size, env);
}

function opens(args: string[], size: { columns: number; rows: number }, env: Record<string, string> = {}) {
  const terminal = new TerminalProgram(process.execPath, args, { ...size, env: top.env(env) });
  opened.push(terminal);
  return terminal;
}

// From the first row to the last, and nothing of another size left on it.
async function showsWhole(terminal: TerminalProgram, { columns, rows }: { columns: number; rows: number }) {
  await terminal.until(`whole screen of ${columns}×${rows}`, () => {
    const shown = terminal.rows();
    const first = shown[0] ?? "";
    const stands = first.startsWith("demo") && (shown[rows - 1] ?? "").startsWith("q quit");
    const once = shown.filter((row) => row.startsWith("demo")).length === 1;
    return (
      stands &&
      once &&
      shown.filter((row) => row.startsWith("q quit")).length === 1 &&
      shown.some((row) => row.includes("▸ r17"))
    );
  });
  expect(terminal.rows().every((row) => widthOf(row) <= columns)).toBe(true);
}

async function piped(): Promise<{ code: number; out: string }> {
  const child = spawn(process.execPath, [top.main, "top"], { env: top.env(), stdio: ["ignore", "pipe", "ignore"] });
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return { code, out };
}
