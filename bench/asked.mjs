import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A bench program that answers one line for each line it is asked. */
export class Asked {
  #child;
  #lines;
  #command;

  constructor(command, args) {
    this.#command = command;
    this.#child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async ask(line) {
    this.#child.stdin.write(`${line}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`${this.#command} ended instead of answering '${line}'`);
    return value;
  }

  async end() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.stdin.end();
    await once(this.#child, "exit");
  }
}
