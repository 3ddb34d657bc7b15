import type { z } from "zod";
import { PdctlError } from "../contract/errors.ts";
import { pause } from "../lib/wait.ts";
import { type Daemon, openStream, parsed } from "./daemon-ask.ts";
import { type ServerEvent, serverEvents } from "./server-events.ts";

// A daemon that comes back within a few ticks is not to be missed by much, nor asked without end.
const backoffMs = { base: 200, cap: 3_000 };

export type Stream<T> = {
  /** Of the connection; `lastId` is of the last event seen, on an earlier one. */
  readonly path: (lastId: string | undefined) => string;
  readonly schema: z.ZodType<T>;
  /** Of the events that count. */
  readonly names: readonly string[];
  readonly signal: AbortSignal;
};

/** The events of one connection, batch by batch, to its end; the first batch is none. Returns quietly on abort. */
export async function* streamOnce<T>(
  daemon: Daemon,
  { path, schema, names, signal }: Stream<T>,
  lastId?: string,
): AsyncGenerator<readonly { readonly value: T; readonly id: string | undefined }[]> {
  const where = path(lastId);
  try {
    const stream = await openStream(daemon, where, signal);
    yield [];
    for await (const batch of serverEvents(stream)) {
      const values = batch.filter(({ name }) => names.includes(name));
      yield values.map((event) => ({ value: eventValue(event, schema, where), id: event.id }));
    }
  } catch (error) {
    if (!signal.aborted) throw isCut(error) ? cut(error) : error;
  }
}

/**
 * The same over many connections: after a daemon has gone its successor is waited for, for as long as the signal
 * allows. Only a first connection that fails throws, and what this version does not understand.
 */
export async function* streamOn<T>(daemon: Daemon, stream: Stream<T>): AsyncGenerator<readonly T[]> {
  let lastId: string | undefined;
  let failures = 0;
  let hasOpened = false;
  while (!stream.signal.aborted) {
    try {
      for await (const batch of streamOnce(daemon, stream, lastId)) {
        hasOpened = true;
        failures = 0;
        lastId = batch.at(-1)?.id ?? lastId;
        if (batch.length > 0) yield batch.map(({ value }) => value);
      }
    } catch (error) {
      if (!hasOpened || (error instanceof PdctlError && error.code === "daemon-unreadable")) throw error;
    }
    await pause(Math.min(backoffMs.cap, backoffMs.base * 2 ** failures++), stream.signal).catch(() => undefined);
  }
}

// What is left where the daemon was killed.
function isCut(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNRESET";
}

function cut(cause: unknown): PdctlError {
  const words = "The daemon ended in the middle of its answer.";
  return new PdctlError("fleet-not-running", words, "pdctl status shows whether another one has taken over", { cause });
}

function eventValue<T>({ data }: ServerEvent, schema: z.ZodType<T>, path: string): T {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    value = undefined;
  }
  return parsed(value, schema, path);
}
