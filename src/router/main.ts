import { PdctlError } from "../contract/errors.ts";
import { errorBody } from "../contract/failure-status.ts";
import type { Ready } from "../contract/launch.ts";
import { checkExposure, listenError } from "../contract/listen-error.ts";
import { localUrl } from "../contract/local-url.ts";
import type { RouterOptions } from "../contract/process-options.ts";
import { systemClock } from "../lib/clock.ts";
import { HttpFront } from "../lib/http-front.ts";
import { readSecret } from "../lib/read-secret.ts";
import { keepReady } from "../lib/ready-file.ts";
import { secretCheck } from "../lib/shared-secret.ts";
import { stderrLog } from "../lib/stderr-log.ts";
import { aborted, untilDone } from "../lib/until-done.ts";
import { Edges } from "./edges/edges.ts";
import { optionEngines } from "./edges/option-engines.ts";
import { serveRouter } from "./http/router-app.ts";
import type { RouterParts } from "./router-parts.ts";
import { RouterRecords } from "./router-records.ts";
import { Sender } from "./sending/sender.ts";

const recentMax = 1024;
// How long a failure waits for the other leg's words, and an answer for prefill to notice that it was given.
const echoMs = 250;
const ackMs = 5_000;
const lastBytesMs = 1_000;
// Of requests that wait for engines.
const room = { waitersMax: 256, bytesMax: 64 * 1024 * 1024, waitMs: 60_000 };

/** Runs the embedded router until `stop` aborts. `onReady` hears where it serves. */
export async function runRouter(
  options: RouterOptions,
  stop: AbortSignal,
  onReady: (ready: Ready) => void,
): Promise<void> {
  checkExposure(options.listen, { flag: "--listen", allowed: options.allowOpen });
  const draining = new AbortController();
  const parts = partsOf(options, draining.signal);
  const front = new HttpFront((_request, response) => {
    const body = errorBody({ code: "starting", words: `Router ${options.name} is starting.` });
    response.writeHead(503, { "content-type": "application/json", "retry-after": "1" }).end(body);
  });
  await serveRouter(front, parts);
  try {
    const port = await front.listen(options.listen).catch((error: unknown) => {
      throw listenError(error, options.listen);
    });
    const ready = { pid: process.pid, url: localUrl({ host: options.listen.host, port }) };
    keepReady(options.readyFile, ready, stop);
    parts.log.info({ url: ready.url }, "serving");
    onReady(ready);
    await aborted(stop);
    draining.abort();
    await untilDone(() => parts.records.open === 0, options.stopLimitMs);
  } finally {
    parts.records.failAll({ code: "shutdown", words: `Router ${options.name} was stopped.` });
    await front.close(lastBytesMs);
    parts.sender.close();
    await parts.edges.close();
  }
}

function partsOf(options: RouterOptions, draining: AbortSignal): RouterParts {
  const { name, firstTokenMs, tokenGapMs, replay } = options;
  const secret = secretFor(options);
  const log = stderrLog(name);
  const records = new RouterRecords(systemClock, recentMax);
  const edges = new Edges(options.connectMs);
  edges.put(optionEngines(options));
  const sender = new Sender({ edges, room, replay, secret, log, open: () => records.exchanges() });
  return {
    ...{ name, edges, records, sender, secret, draining, log },
    limits: { firstTokenMs, tokenGapMs, echoMs, ackMs },
    trusts: secretCheck(secret),
    clock: systemClock,
  };
}

function secretFor({ secretFile }: RouterOptions): string | undefined {
  if (secretFile === undefined) return undefined;
  const found = readSecret(secretFile);
  if (found.kind === "secret") return found.secret;
  throw new PdctlError("usage", found.words, "openssl rand -hex 32 > FILE");
}
