import { text } from "node:stream/consumers";
import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { isErrorCode } from "../contract/error-page.ts";
import { PdctlError } from "../contract/errors.ts";
import { problemSchema } from "../contract/problem.ts";
import { askJson, send } from "../lib/http-json.ts";
import { limited } from "../lib/wait.ts";

/** One daemon, and how long it may take to answer. */
export type Daemon = { readonly socket: string; readonly limitMs: number };

export type DaemonAsk = { readonly body?: unknown; readonly signal?: AbortSignal | undefined };

/** Asks one route. Every error is a sentence: no daemon, a refusal, an answer that is not understood. */
export async function askDaemon<T>(
  daemon: Daemon,
  { path, schema, ...ask }: DaemonAsk & { readonly path: string; readonly schema: z.ZodType<T> },
): Promise<T> {
  const signal = limited(daemon.limitMs, ask.signal);
  const target = { socket: daemon.socket, path };
  const { status, body } = await askJson(target, { ...ask, signal }).catch((cause: unknown) => {
    throw unreached(daemon, cause, signal);
  });
  if (status >= 400) throw refusalOf(body, status);
  return parsed(body, schema, path);
}

/** Opens a stream of events; `signal` ends it, at any time. */
export async function openStream(daemon: Daemon, path: string, signal: AbortSignal): Promise<IncomingMessage> {
  const head = AbortSignal.timeout(daemon.limitMs);
  // The limit is for the head of the answer: the stream itself lasts.
  const late = new AbortController();
  const hear = (): void => late.abort(head.reason);
  head.addEventListener("abort", hear, { once: true });
  const response = await send({ socket: daemon.socket, path }, { signal: AbortSignal.any([signal, late.signal]) })
    .catch((cause: unknown) => {
      throw unreached(daemon, cause, head);
    })
    .finally(() => head.removeEventListener("abort", hear));
  const { statusCode = 0 } = response;
  if (statusCode < 400) return response;
  throw refusalOf(jsonOf(await text(response)), statusCode);
}

/** What the daemon said, checked. */
export function parsed<T>(body: unknown, schema: z.ZodType<T>, path: string): T {
  const found = schema.safeParse(body);
  if (found.success) return found.data;
  const why = found.error.issues[0];
  throw new PdctlError(
    "daemon-unreadable",
    `The daemon's answer to ${path} is not what this version expects: ${why?.path.join(".")}: ${why?.message}.`,
    "use the pdctl that started the fleet, or start it again",
  );
}

function unreached({ socket, limitMs }: Daemon, cause: unknown, limit: AbortSignal): unknown {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "ENOENT" || code === "ECONNREFUSED") {
    const words = `No fleet runs: nobody listens on ${socket}.`;
    return new PdctlError("fleet-not-running", words, "pdctl up", { cause });
  }
  if (["ENOTDIR", "EACCES", "ELOOP"].includes(code)) {
    return new PdctlError(
      "place-invalid",
      `The daemon's socket cannot be used at ${socket}: ${cause instanceof Error ? cause.message : code}.`,
      "another --socket, or set PDCTL_HOME to a folder of your own",
      { cause },
    );
  }
  if (["ECONNRESET", "EPIPE"].includes(code)) {
    const words = "The daemon ended before it answered.";
    return new PdctlError("fleet-not-running", words, "pdctl status shows whether another one has taken over", {
      cause,
    });
  }
  if (cause instanceof SyntaxError) return new PdctlError("daemon-unreadable", "The daemon's answer is not JSON.", "");
  if (!limit.aborted || !isTimeout(cause)) return cause;
  return new PdctlError(
    "timed-out",
    `The daemon did not answer within ${limitMs / 1_000} s.`,
    "pdctl logs daemon; the watchdog replaces a daemon that hangs",
    { cause },
  );
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === "TimeoutError";
}

function refusalOf(body: unknown, status: number): PdctlError {
  const problem = problemSchema.safeParse(body);
  if (!problem.success)
    return new PdctlError("daemon-unreadable", `The daemon answered ${status} without a reason.`, "");
  const { code, detail, tryThis } = problem.data;
  return new PdctlError(isErrorCode(code) ? code : "daemon-unreadable", detail, tryThis);
}

function jsonOf(words: string): unknown {
  try {
    return JSON.parse(words);
  } catch {
    return undefined;
  }
}
