import { randomBytes } from "node:crypto";
import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { askModel, type Message } from "../client/ask-model.ts";
import type { DaemonClient } from "../client/daemon-client.ts";
import { PdctlError } from "../contract/errors.ts";
import { limited } from "../lib/wait.ts";
import { answerTimeline } from "./answer-timeline.ts";
import { tellWhere } from "./waiting-words.ts";

export type Asking = {
  readonly url: string;
  readonly client: DaemonClient;
  readonly system: string;
  readonly tokensMax: number;
  readonly temperature: number;
  readonly signal: AbortSignal;
  readonly write: (text: string) => void;
  readonly say: (line: string) => void;
};

// A long answer of a slow model; the router's own deadlines end a stuck one sooner.
const answerLimitMs = 60 * 60_000;

// Whoever has waited that long for the first token wants to know what for.
const waitingEveryMs = 5_000;

/** Asks one question: the answer streams out, its timeline follows. Returns the answer. */
export async function askOnce(messages: readonly Message[], asking: Asking): Promise<string> {
  const requestId = `run-${randomBytes(8).toString("hex")}`;
  const signal = limited(answerLimitMs, asking.signal);
  const waiting = new AbortController();
  const told = tellWhere({
    ...asking,
    requestId,
    everyMs: waitingEveryMs,
    signal: AbortSignal.any([signal, waiting.signal]),
  });
  let answer = "";
  try {
    for await (const piece of askModel({ ...asking, messages, requestId, signal })) {
      waiting.abort();
      answer += piece;
      asking.write(piece);
    }
  } finally {
    waiting.abort();
    await told;
    // Whatever follows begins a line of its own.
    if (answer !== "") asking.write("\n");
  }
  asking.say(await answerTimeline(asking.client, requestId, asking.signal));
  return answer;
}

/** The prompt given, or all of a pipe; undefined on a terminal, where one chats. */
export async function promptOf(given: string | undefined): Promise<string | undefined> {
  if (given !== undefined) return given;
  if (stdin.isTTY) return undefined;
  const piped = (await text(stdin)).trim();
  if (piped !== "") return piped;
  throw new PdctlError(
    "usage",
    "There is no prompt: none was given, and stdin is empty.",
    'pdctl run "What is the capital of France?"',
  );
}

/** Asks one question after the other until the terminal says end of file. Ctrl-C ends the answer, and the chat. */
export async function chat(asking: Asking): Promise<void> {
  const terminal = createInterface({ input: stdin, output: stdout, prompt: "> " });
  const messages = opening(asking.system);
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort(new PdctlError("interrupted", "Interrupted.", ""));
  // On a terminal that is read line by line Ctrl-C is a key, not a signal.
  terminal.on("SIGINT", interrupt);
  const signal = AbortSignal.any([asking.signal, interruption.signal]);
  signal.addEventListener("abort", () => terminal.close());
  try {
    terminal.prompt();
    for await (const line of terminal) {
      if (line.trim() !== "") {
        messages.push({ role: "user", content: line });
        messages.push({ role: "assistant", content: await askOnce(messages, { ...asking, signal }) });
      }
      terminal.prompt();
    }
    signal.throwIfAborted();
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    terminal.close();
  }
}

export function opening(system: string): Message[] {
  return system === "" ? [] : [{ role: "system", content: system }];
}
