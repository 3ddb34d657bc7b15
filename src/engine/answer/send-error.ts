import type { ServerResponse } from "node:http";

/** Ends a response that has not begun with an error. */
export function sendError(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
}
