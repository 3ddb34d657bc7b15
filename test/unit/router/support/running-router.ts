import { pino } from "pino";
import { onTestFinished } from "vitest";
import { systemClock } from "../../../../src/lib/clock.ts";
import { HttpFront } from "../../../../src/lib/http-front.ts";
import { secretCheck } from "../../../../src/lib/shared-secret.ts";
import type { RouterOptions } from "../../../../src/contract/process-options.ts";
import { Edges } from "../../../../src/router/edges/edges.ts";
import { optionEngines } from "../../../../src/router/edges/option-engines.ts";
import { serveRouter } from "../../../../src/router/http/router-app.ts";
import type { RouterParts } from "../../../../src/router/router-parts.ts";
import { RouterRecords } from "../../../../src/router/router-records.ts";
import { Sender, type SenderOptions } from "../../../../src/router/sending/sender.ts";
import { FixtureEngine } from "./fixture-engine.ts";

export const secret = "0123456789abcdef0123456789abcdef";

// None of these is reached in a test that does not ask for it.
const patientLimits: RouterParts["limits"] = {
  firstTokenMs: 600_000,
  tokenGapMs: 600_000,
  echoMs: 600_000,
  ackMs: 600_000,
};
const patientRoom = { waitersMax: 256, bytesMax: 64 * 1024 * 1024, waitMs: 600_000 };

export type Changes = Partial<RouterParts["limits"]> &
  Partial<Pick<SenderOptions, "replay">> & { readonly room?: Partial<SenderOptions["room"]> };

export type RunningRouter = {
  readonly url: string;
  readonly p: FixtureEngine;
  readonly d: FixtureEngine;
  readonly parts: RouterParts;
};

/** The shipped router on a port of its own, before a prefill and a decode engine that do as the test says. */
export async function runningRouter(changes: Changes = {}): Promise<RunningRouter> {
  const p = await new FixtureEngine().listen();
  const d = await new FixtureEngine().listen();
  const bootstrap = { host: "127.0.0.1", port: 8998 };
  const targets = { prefill: [{ name: "p0", url: p.url, bootstrap }], decode: [{ name: "d0", url: d.url }], both: [] };
  return { p, d, ...(await routerBefore(targets, changes)) };
}

export async function routerBefore(
  targets: Pick<RouterOptions, "prefill" | "decode" | "both">,
  { room, replay = "unsent", ...limits }: Changes = {},
): Promise<{ readonly url: string; readonly parts: RouterParts }> {
  const edges = new Edges(20_000);
  edges.put(optionEngines(targets));
  const records = new RouterRecords(systemClock, 3);
  const log = pino({ level: "silent" });
  const open = () => records.exchanges();
  const sender = new Sender({ edges, room: { ...patientRoom, ...room }, replay, secret, log, open });
  const parts: RouterParts = {
    ...{ name: "r0", edges, records, sender, log },
    limits: { ...patientLimits, ...limits },
    secret,
    trusts: secretCheck(secret),
    draining: new AbortController().signal,
    clock: systemClock,
  };
  const front = new HttpFront((_request, response) => response.writeHead(503).end());
  await serveRouter(front, parts);
  const port = await front.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    parts.records.failAll({ code: "shutdown", words: "The test is over." });
    await front.close(0);
    parts.sender.close();
    await parts.edges.close();
  });
  return { url: `http://127.0.0.1:${port}`, parts };
}
