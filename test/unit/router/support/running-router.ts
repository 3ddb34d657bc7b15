import { pino } from "pino";
import { onTestFinished } from "vitest";
import { systemClock } from "../../../../src/lib/clock.ts";
import { HttpFront } from "../../../../src/lib/http-front.ts";
import { secretCheck } from "../../../../src/lib/shared-secret.ts";
import { Edges, type EngineTargets } from "../../../../src/router/edges.ts";
import { serveRouter } from "../../../../src/router/http/router-app.ts";
import type { RouterParts } from "../../../../src/router/router-parts.ts";
import { RouterRecords } from "../../../../src/router/router-records.ts";
import { FixtureEngine } from "./fixture-engine.ts";

export const secret = "0123456789abcdef0123456789abcdef";

// None of these is reached in a test that does not ask for it.
const patientLimits: RouterParts["limits"] = {
  firstTokenMs: 600_000,
  tokenGapMs: 600_000,
  echoMs: 600_000,
  ackMs: 600_000,
};

export type RunningRouter = {
  readonly url: string;
  readonly p: FixtureEngine;
  readonly d: FixtureEngine;
  readonly parts: RouterParts;
};

/** The shipped router on a port of its own, before a prefill and a decode engine that do as the test says. */
export async function runningRouter(limits: Partial<RouterParts["limits"]> = {}): Promise<RunningRouter> {
  const p = await new FixtureEngine().listen();
  const d = await new FixtureEngine().listen();
  const bootstrap = { host: "127.0.0.1", port: 8998 };
  const targets = { prefill: [{ name: "p0", url: p.url, bootstrap }], decode: [{ name: "d0", url: d.url }], both: [] };
  return { p, d, ...(await routerBefore(targets, limits)) };
}

export async function routerBefore(
  targets: Omit<EngineTargets, "connectMs">,
  limits: Partial<RouterParts["limits"]> = {},
): Promise<{ readonly url: string; readonly parts: RouterParts }> {
  const parts: RouterParts = {
    name: "r0",
    edges: new Edges({ ...targets, connectMs: 20_000 }),
    records: new RouterRecords(systemClock, 3),
    limits: { ...patientLimits, ...limits },
    secret,
    trusts: secretCheck(secret),
    draining: new AbortController().signal,
    clock: systemClock,
    log: pino({ level: "silent" }),
  };
  const front = new HttpFront((_request, response) => response.writeHead(503).end());
  await serveRouter(front, parts);
  const port = await front.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    parts.records.failAll({ code: "shutdown", words: "The test is over." });
    await front.close(0);
    await parts.edges.close();
  });
  return { url: `http://127.0.0.1:${port}`, parts };
}
