import xterm from "@xterm/headless";
import { type IPty, spawn } from "node-pty";

type Size = { readonly columns: number; readonly rows: number };

const limitMs = 60_000;
const lookMs = 20;

/** A program in a real terminal: a PTY, and an emulator that keeps what is on the screen. */
export class TerminalProgram {
  readonly #pty: IPty;
  readonly #screen: xterm.Terminal;
  #cursorHidden = false;
  #exit: { readonly code: number; readonly signal: number } | undefined;

  constructor(
    command: string,
    args: string[],
    { columns, rows, env }: Size & { readonly env: Record<string, string> },
  ) {
    this.#screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
    this.#pty = spawn(command, args, { name: "xterm-256color", cols: columns, rows, env });
    this.#pty.onData((data) => {
      this.#screen.write(data);
      this.#cursorHidden = lastOf(data, ["\u001B[?25l", "\u001B[?25h"], this.#cursorHidden);
    });
    this.#pty.onExit(({ exitCode, signal = 0 }) => {
      this.#exit = { code: exitCode, signal };
    });
  }

  /** The rows of the screen as they are seen. */
  rows(): string[] {
    const { active } = this.#screen.buffer;
    return Array.from({ length: this.#screen.rows }, (_, row) =>
      (active.getLine(active.baseY + row)?.translateToString() ?? "").trimEnd(),
    );
  }

  text(): string {
    return this.rows().join("\n");
  }

  /** Whether the screen is the one that programs take and give back. */
  isAlternate(): boolean {
    return this.#screen.buffer.active.type === "alternate";
  }

  isCursorHidden(): boolean {
    return this.#cursorHidden;
  }

  hasColour(): boolean {
    const { active } = this.#screen.buffer;
    return Array.from({ length: this.#screen.rows }, (_, row) => active.getLine(active.baseY + row)).some((line) =>
      Array.from({ length: this.#screen.cols }, (_, column) => line?.getCell(column)).some(
        (cell) => cell !== undefined && !cell.isFgDefault(),
      ),
    );
  }

  /** What a message of the system does: words at the cursor, in the middle of the picture. */
  disturb(words: string): void {
    this.#screen.write(words);
  }

  types(keys: string): void {
    this.#pty.write(keys);
  }

  resize({ columns, rows }: Size): void {
    this.#screen.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  kill(signal: NodeJS.Signals): void {
    process.kill(this.#pty.pid, signal);
  }

  async until(what: string, isSo: () => boolean): Promise<void> {
    const endMs = performance.now() + limitMs;
    while (!isSo()) {
      if (performance.now() > endMs) throw new Error(`no ${what} within ${limitMs} ms; on the screen:\n${this.text()}`);
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
  }

  async shows(words: string): Promise<void> {
    await this.until(`"${words}"`, () => this.text().includes(words));
  }

  async exit(): Promise<{ readonly code: number; readonly signal: number }> {
    await this.until("exit", () => this.#exit !== undefined);
    // What it wrote last is on the screen by then.
    await new Promise<void>((resolve) => this.#screen.write("", resolve));
    return this.#exit ?? { code: -1, signal: -1 };
  }

  end(): void {
    if (this.#exit === undefined) this.kill("SIGKILL");
    this.#screen.dispose();
  }
}

// Which of two switches came last; as before where neither did.
function lastOf(data: string, [on, off]: readonly [string, string], before: boolean): boolean {
  const [onAt, offAt] = [data.lastIndexOf(on), data.lastIndexOf(off)];
  return onAt === offAt ? before : onAt > offAt;
}
