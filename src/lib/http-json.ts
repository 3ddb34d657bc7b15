import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";

/** Whom to ask: a URL, or a path on a Unix socket. */
export type HttpTarget = { readonly url: string } | { readonly socket: string; readonly path: string };

export type HttpAsk = {
  readonly method?: "GET" | "POST" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Ends the wait, whether for the connection, the head or the body. */
  readonly signal: AbortSignal;
  readonly bytesMax?: number;
};

export type HttpAnswer = { readonly status: number; readonly body: unknown };

// A list of a thousand requests with their timelines stays well below it.
const bytesMaxUsual = 16 * 1024 * 1024;

/** Asks for JSON over a connection of its own. Throws where nobody answers or the answer is not JSON. */
export async function askJson(target: HttpTarget, ask: HttpAsk): Promise<HttpAnswer> {
  const response = await send(target, ask);
  const text = await textOf(response, ask.bytesMax ?? bytesMaxUsual);
  return { status: response.statusCode ?? 0, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
}

/** Sends and returns once the head of the answer is there; the body is the caller's to read. */
export async function send(target: HttpTarget, { method, headers, body, signal }: HttpAsk): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const text = body === undefined ? undefined : JSON.stringify(body);
  const options: RequestOptions = {
    ...("socket" in target ? { socketPath: target.socket, path: target.path } : partsOf(target.url)),
    method: method ?? (text === undefined ? "GET" : "POST"),
    headers: { ...(text === undefined ? {} : { "content-type": "application/json" }), ...headers },
    agent: false,
    signal,
  };
  // Imported as a module it would load all of its lazy parts, a fifth of the time of a short command.
  const { request } = process.getBuiltinModule("node:http");
  return await new Promise((resolve, reject) => {
    const asked: ClientRequest = request(options, resolve);
    asked.once("error", (error) => reject(signal.aborted ? signal.reason : error));
    asked.end(text);
  });
}

async function textOf(response: IncomingMessage, bytesMax: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > bytesMax) throw new Error(`an answer of more than ${bytesMax} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function partsOf(url: string): RequestOptions {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  return { protocol, hostname: hostname.replace(/^\[|\]$/g, ""), port, path: pathname + search };
}
