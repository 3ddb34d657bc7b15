import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { get as httpsGet } from "node:https";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

export type Get = typeof httpsGet;

export type Download = {
  readonly url: string;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
  /** How a URL is asked; a test passes its own. */
  readonly get?: Get;
};

const connectLimitMs = 5_000;
const silenceLimitMs = 30_000;
const redirectsMax = 5;

/** Writes what an HTTPS URL gives into a file. Follows redirects, to https only. */
export async function downloadHttps(to: string, { url, bytesMax, signal, get = httpsGet }: Download): Promise<void> {
  const response = await follow(url, { get, signal });
  const announced = Number(response.headers["content-length"] ?? 0);
  if (announced > bytesMax) {
    response.destroy();
    throw new Error(`${announced} bytes were announced, at most ${bytesMax} are taken`);
  }
  await pipeline(response, limitOf(bytesMax), createWriteStream(to, { mode: 0o644, flags: "wx" }), { signal });
}

async function follow(start: string, { get, signal }: { get: Get; signal: AbortSignal }): Promise<IncomingMessage> {
  let url = new URL(start);
  for (let hops = 0; hops <= redirectsMax; hops++) {
    if (url.protocol !== "https:") throw new Error(`${url.origin} is not https`);
    const response = await head(url, { get, signal });
    const status = response.statusCode ?? 0;
    if (status === 200) return response;
    response.destroy();
    const { location } = response.headers;
    if (status < 300 || status > 399 || location === undefined) throw new Error(`${url.host} answered ${status}`);
    url = new URL(location, url);
  }
  throw new Error(`more than ${redirectsMax} redirects`);
}

async function head(url: URL, { get, signal }: { get: Get; signal: AbortSignal }): Promise<IncomingMessage> {
  return await new Promise((resolve, reject) => {
    // The limit holds before the connection is there, too; after that it means silence.
    const asked = get(url, { timeout: connectLimitMs, signal, agent: false }, (response) => {
      asked.setTimeout(silenceLimitMs);
      resolve(response);
    });
    asked.on("timeout", () => asked.destroy(new Error(`${url.host} did not answer in time`)));
    asked.once("error", (error) => reject(signal.aborted ? signal.reason : error));
  });
}

function limitOf(bytesMax: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length;
      done(bytes > bytesMax ? new Error(`more than ${bytesMax} bytes came`) : null, part);
    },
  });
}
