import type { RequestListener } from "node:http";
import { PdctlError } from "../contract/errors.ts";
import { errorBody } from "../contract/failure-status.ts";
import type { Ready } from "../contract/launch.ts";
import { checkExposure, listenError } from "../contract/listen-error.ts";
import { localUrl } from "../contract/local-url.ts";
import type { EngineOptions } from "../contract/process-options.ts";
import { systemClock } from "../lib/clock.ts";
import { HttpFront } from "../lib/http-front.ts";
import { readSecret } from "../lib/read-secret.ts";
import { keepReady } from "../lib/ready-file.ts";
import { secretCheck } from "../lib/shared-secret.ts";
import { stderrLog } from "../lib/stderr-log.ts";
import { aborted } from "../lib/until-done.ts";
import { LiveAnswers } from "./answer/live-answers.ts";
import type { EngineParts } from "./engine-parts.ts";
import { serveEngine } from "./http/engine-app.ts";
import { startNative } from "./native-start.ts";
import { peersOf } from "./peers.ts";
import { chatTemplateOf } from "./prompt/chat-template.ts";
import { stopEngine } from "./stop-engine.ts";

/** Runs one native engine until `stop` aborts. `onReady` hears where it serves. */
export async function runEngine(
  options: EngineOptions,
  stop: AbortSignal,
  onReady: (ready: Ready) => void,
): Promise<void> {
  checkExposure(options.listen, { flag: "--listen", allowed: options.allowOpen });
  checkExposure(options.bootstrap, { flag: "--bootstrap", allowed: options.allowOpen });
  const secret = secretFor(options);
  const log = stderrLog(options.name);
  const front = new HttpFront(whileStarting(options.name));
  const port = await front.listen(options.listen).catch((error: unknown) => {
    throw listenError(error, options.listen);
  });
  try {
    const parts = await startParts(options, secret, log);
    try {
      await serveEngine(front, parts);
      const ready = readyOf(options, parts, port);
      keepReady(options.readyFile, ready, stop);
      log.info({ url: ready.url, bootstrapPort: ready.bootstrapPort, model: ready.model }, "serving");
      onReady(ready);
      await aborted(stop);
    } finally {
      await stopEngine(front, parts, options.stopLimitMs);
    }
  } finally {
    await front.close(0);
  }
}

function secretFor({ secretFile, role }: EngineOptions): string | undefined {
  if (secretFile === undefined) {
    if (role === "both") return undefined;
    throw new PdctlError(
      "usage",
      `An engine of role ${role} needs the fleet's secret to know the other side.`,
      "--secret-file FILE",
    );
  }
  const found = readSecret(secretFile);
  if (found.kind === "secret") return found.secret;
  throw new PdctlError("usage", found.words, "openssl rand -hex 32 > FILE");
}

async function startParts(
  options: EngineOptions,
  secret: string | undefined,
  log: EngineParts["log"],
): Promise<EngineParts> {
  const { name, servedName, role, allowFaults, open } = options;
  const answers = new LiveAnswers();
  const native = await startNative(options, secret, (events) => answers.deliver(events));
  return {
    ...{ name, servedName, role, native, answers, allowFaults, log },
    template: chatTemplateOf(native.model),
    peers: peersOf(options),
    trusts: open ? () => true : secretCheck(secret),
    clock: systemClock,
  };
}

function readyOf({ listen, role, servedName }: EngineOptions, { native }: EngineParts, port: number): Ready {
  const bootstrapPort = role === "prefill" ? { bootstrapPort: native.bootstrapPort } : {};
  return { pid: process.pid, url: localUrl({ host: listen.host, port }), ...bootstrapPort, model: servedName };
}

function whileStarting(name: string): RequestListener {
  return (request, response) => {
    const words = `Engine ${name} is starting.`;
    const body =
      request.url === "/health" ? JSON.stringify({ status: "starting", name }) : errorBody({ code: "starting", words });
    response.writeHead(503, { "content-type": "application/json", "retry-after": "1" }).end(body);
  };
}
