import type { FastifyInstance } from "fastify";
import { errorBody, type Failure, statusOf } from "../../contract/failure-status.ts";
import type { HttpFront } from "../../lib/http-front.ts";
import { Refusal } from "../../lib/refusal.ts";
import { type ErrorAnswer, textApp } from "../../lib/text-app.ts";
import type { EngineParts } from "../engine-parts.ts";
import { adminRoutes } from "./admin-routes.ts";
import { healthRoute } from "./health-route.ts";
import { metricsRoute } from "./metrics-route.ts";
import { openaiRoutes } from "./openai-routes.ts";

const bodyBytesMax = 8 * 1024 * 1024;

/** All routes of one native engine; takes over what `front` hears. */
export async function serveEngine(front: HttpFront, parts: EngineParts): Promise<FastifyInstance> {
  const app = textApp({
    log: parts.log,
    bodyBytesMax,
    server: (handler) => {
      front.serve(handler);
      return front.server;
    },
    answerOf: (error) => answerOf(error, parts),
    unknownRoute: (method, url) =>
      failed({ code: "not-found", words: `There is no ${method} ${url.split("?")[0]} here.` }),
  });
  metricsRoute(app, parts);
  healthRoute(app, parts);
  openaiRoutes(app, parts);
  await app.register(async (admin) => adminRoutes(admin, parts), { prefix: "/admin/v1" });
  await app.ready();
  return app;
}

function answerOf(error: unknown, { log }: EngineParts): ErrorAnswer {
  if (error instanceof Refusal) return failed({ code: error.code, words: error.message }, error.param);
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  const words = error instanceof Error ? error.message : String(error);
  if (status === 413) return failed({ code: "too-large", words: `The body is larger than ${bodyBytesMax} bytes.` });
  if (typeof status === "number" && status < 500) return failed({ code: "invalid", words });
  log.error({ err: error }, "a request met a mistake in pdctl");
  return failed({ code: "internal", words: `This is a mistake in pdctl: ${words}` });
}

function failed(failure: Failure, param?: string): ErrorAnswer {
  return { status: statusOf(failure), body: errorBody(failure, param) };
}
