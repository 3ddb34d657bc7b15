import { pino } from "pino";
import { onTestFinished } from "vitest";
import { LiveAnswers } from "../../../../src/engine/answer/live-answers.ts";
import type { EngineParts } from "../../../../src/engine/engine-parts.ts";
import { serveEngine } from "../../../../src/engine/http/engine-app.ts";
import { chatTemplateOf } from "../../../../src/engine/prompt/chat-template.ts";
import { systemClock } from "../../../../src/lib/clock.ts";
import { HttpFront } from "../../../../src/lib/http-front.ts";
import { secretCheck } from "../../../../src/lib/shared-secret.ts";
import { FakeNative } from "./fake-native.ts";

export const secret = "0123456789abcdef0123456789abcdef";

export type RunningEngine = {
  readonly url: string;
  readonly port: number;
  readonly native: FakeNative;
  readonly parts: EngineParts;
};

/** The shipped HTTP of an engine on a port of its own, over a fake engine; ends with the test. */
export async function runningEngine(
  changes: Partial<EngineParts> = {},
  native: FakeNative = new FakeNative(),
): Promise<RunningEngine> {
  const answers = new LiveAnswers();
  native.deliver = (events) => answers.deliver(events);
  const parts: EngineParts = {
    name: "e0",
    servedName: "tiny-135m",
    role: "both",
    native,
    answers,
    template: chatTemplateOf(native.model),
    peers: { kind: "listed", addresses: ["127.0.0.1:7001"] },
    allowFaults: true,
    trusts: secretCheck(secret),
    clock: systemClock,
    log: pino({ level: "silent" }),
    ...changes,
  };
  const front = new HttpFront((_request, response) => response.writeHead(503).end());
  const port = await front.listen({ host: "127.0.0.1", port: 0 });
  await serveEngine(front, parts);
  onTestFinished(() => front.close(0));
  return { url: `http://127.0.0.1:${port}`, port, native, parts };
}
