import type { z } from "zod";
import { isErrorCode } from "../contract/error-page.ts";
import { PdctlError } from "../contract/errors.ts";
import { type FleetView, fleetViewSchema, type StopWish } from "../contract/fleet.ts";
import { problemSchema } from "../contract/problem.ts";
import {
  type RequestDetail,
  type RequestList,
  requestDetailSchema,
  requestListSchema,
} from "../contract/request-view.ts";
import { askJson, type HttpAsk } from "../lib/http-json.ts";
import { limited } from "../lib/wait.ts";

// The daemon itself asks every engine with a limit of 2 s.
const limitMs = 10_000;

/** Asks the daemon behind one socket. Every error is a sentence: no daemon, a refusal, an answer not understood. */
export class DaemonClient {
  readonly #socket: string;

  constructor(socket: string) {
    this.#socket = socket;
  }

  async fleet(signal?: AbortSignal): Promise<FleetView> {
    return await this.#ask("/v1/fleet", fleetViewSchema, { signal: limited(limitMs, signal) });
  }

  async requests(signal?: AbortSignal): Promise<RequestList> {
    return await this.#ask("/v1/requests", requestListSchema, { signal: limited(limitMs, signal) });
  }

  async request(id: string, signal?: AbortSignal): Promise<RequestDetail> {
    const path = `/v1/requests/${encodeURIComponent(id)}`;
    return await this.#ask(path, requestDetailSchema, { signal: limited(limitMs, signal) });
  }

  async stop(wish: StopWish, signal?: AbortSignal): Promise<FleetView> {
    return await this.#ask("/v1/fleet/stop", fleetViewSchema, { body: wish, signal: limited(limitMs, signal) });
  }

  async #ask<T>(path: string, schema: z.ZodType<T>, ask: HttpAsk): Promise<T> {
    const { status, body } = await askJson({ socket: this.#socket, path }, ask).catch((cause: unknown) => {
      throw this.#unreached(cause, ask.signal);
    });
    if (status >= 400) throw refusalOf(body, status);
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    const why = parsed.error.issues[0];
    throw new PdctlError(
      "daemon-unreadable",
      `The daemon's answer to ${path} is not what this version expects: ${why?.path.join(".")}: ${why?.message}.`,
      "use the pdctl that started the fleet, or start it again",
    );
  }

  #unreached(cause: unknown, signal: AbortSignal): unknown {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT" || code === "ECONNREFUSED") {
      return new PdctlError(
        "fleet-not-running",
        `No fleet runs: nobody listens on ${this.#socket}.`,
        "pdctl up --foreground",
        { cause },
      );
    }
    if (code === "ENOTDIR" || code === "EACCES" || code === "ELOOP") {
      return new PdctlError(
        "place-invalid",
        `The daemon's socket cannot be used at ${this.#socket}: ${cause instanceof Error ? cause.message : code}.`,
        "another --socket, or set PDCTL_HOME to a folder of your own",
        { cause },
      );
    }
    if (!signal.aborted || !isTimeout(cause)) return cause;
    return new PdctlError(
      "timed-out",
      `The daemon did not answer within ${limitMs / 1_000} s.`,
      "read daemon.log in the fleet's state folder",
      { cause },
    );
  }
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
