import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { onTestFinished, vi } from "vitest";
import type { EngineState, RequestRecord } from "../../../../src/contract/engine-http.ts";
import type { RouterRequest, RouterState } from "../../../../src/contract/router-http.ts";

export const secret = "0123456789abcdef0123456789abcdef";

/** Waits until something holds; the limit is only for a test that fails. */
export async function eventually(check: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(check, { timeout: 20_000, interval: 5 });
}

/** A small HTTP server on a port of its own, for as long as the test runs. */
export async function httpServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return await urlOf(server);
}

/** One that does with a connection as the test says, and that need not speak HTTP. */
export async function tcpServer(take: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    take(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return await urlOf(server);
}

/** Where nobody listens. */
export async function closedUrl(): Promise<string> {
  const server = createTcpServer();
  const url = await urlOf(server);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

export type EngineAnswers = { state: EngineState; requests: RequestRecord[]; asked: string[] };

/** An engine's control routes, as the test fills them. */
export async function engineServer(answers: EngineAnswers): Promise<string> {
  return await adminServer(answers, () => ({ state: answers.state, requests: answers.requests }));
}

export type RouterAnswers = { state: RouterState; requests: RouterRequest[]; asked: string[] };

export async function routerServer(answers: RouterAnswers): Promise<string> {
  return await adminServer(answers, () => ({ state: answers.state, requests: answers.requests }));
}

async function adminServer(
  { asked }: { readonly asked: string[] },
  now: () => { readonly state: unknown; readonly requests: readonly unknown[] },
): Promise<string> {
  return await httpServer((request, response) => {
    asked.push(request.url ?? "");
    const { state, requests } = now();
    const isTrusted = request.headers["x-pdctl-secret"] === secret;
    const body = request.url === "/admin/v1/state" ? state : { requests };
    response
      .writeHead(isTrusted ? 200 : 403, { "content-type": "application/json" })
      .end(JSON.stringify(isTrusted ? body : {}));
  });
}

export function engineState(more: Partial<EngineState> = {}): EngineState {
  return {
    role: "prefill",
    incarnation: "00000000000000aa",
    loopAgeMs: 4,
    steps: 7,
    queues: { bootstrap: 0, waiting: 0, running: 0, inflight: 0, prealloc: 0, transfer: 0 },
    pages: { total: 100, free: 75, live: 20, held: 5 },
    totals: {
      requests: 9,
      finished: 8,
      failed: 1,
      aborted: 1,
      bootstrapFailed: 2,
      transferFailed: 3,
      transfersCompleted: 6,
      transferBytes: 4_096,
      promptTokens: 40,
      generatedTokens: 50,
      ackLost: 0,
      framesStale: 0,
      framesHostile: 0,
      handshakesRefused: 0,
    },
    links: 1,
    draining: false,
    pagesWrong: "",
    ...more,
  };
}

export function routerState(more: Partial<RouterState> = {}): RouterState {
  return {
    epoch: 1,
    open: 0,
    edges: [{ prefill: "p0", decode: "d0", open: 0, attemptsTotal: 5, okTotal: 4 }],
    totals: { requests: 5, answered: 4, failed: 1, clientGone: 0, ackLost: 0 },
    ...more,
  };
}

async function urlOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
