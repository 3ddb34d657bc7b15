import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorWriter } from "./error-answer.ts";

/** Answers what is no HTTP request, or not within the limits, and closes: there is no request to answer it to. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex, errorAnswer: ErrorWriter): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const { status, body } = errorAnswer(failureOf(error));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Content-Type: application/json",
    "Connection: close",
  ].join("\r\n");
  if (socket.writable) socket.write(`${head}\r\n\r\n${body}`);
  socket.destroy();
}

function failureOf({ code, message }: NodeJS.ErrnoException): Parameters<ErrorWriter>[0] {
  if (code === "HPE_HEADER_OVERFLOW") {
    return { code: "headers-too-large", words: "The headers of the request are larger than 16 KiB." };
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return { code: "request-timeout", words: "The request did not arrive whole in time." };
  }
  return { code: "invalid", words: `This is not a request of HTTP/1.1: ${message}.` };
}
