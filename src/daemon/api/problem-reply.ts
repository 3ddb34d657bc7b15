import { type Exit, errorList, PdctlError } from "../../contract/errors.ts";
import type { Problem } from "../../contract/problem.ts";

const statusOf: Record<Exit, number> = {
  done: 200,
  failed: 500,
  usage: 400,
  "no-daemon": 503,
  "timed-out": 504,
  refused: 409,
  interrupted: 503,
};

/** The problem+json of an error that a route threw. */
export function problemOf(error: unknown): Problem {
  if (error instanceof PdctlError) {
    const { exit, sentence } = errorList[error.code];
    const status = error.code.endsWith("-unknown") ? 404 : statusOf[exit];
    return {
      type: "about:blank",
      status,
      title: sentence,
      detail: error.message,
      code: error.code,
      tryThis: error.tryThis,
    };
  }
  const detail = error instanceof Error ? error.message : String(error);
  const status = isClientError(error) ? error.statusCode : 500;
  const title = status === 500 ? "The daemon made a mistake." : "The request is not valid.";
  return { type: "about:blank", status, title, detail, code: status === 500 ? "bug" : "usage", tryThis: "" };
}

// The server marks what it could not read of a request (no JSON, too large) with a status.
function isClientError(error: unknown): error is { readonly statusCode: number } {
  if (typeof error !== "object" || error === null || !("statusCode" in error)) return false;
  return typeof error.statusCode === "number" && error.statusCode >= 400 && error.statusCode < 500;
}
