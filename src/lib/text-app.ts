import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { HttpFront } from "./http-front.ts";
import { Refusal } from "./refusal.ts";

export type ErrorAnswer = { readonly status: number; readonly body: string };

export type TextAppOptions = {
  readonly log: FastifyBaseLogger;
  readonly bodyBytesMax: number;
  /** Its requests come here from now on. */
  readonly front: HttpFront;
  /** How an error reads in this protocol. */
  readonly errorAnswer: (failure: { readonly code: string; readonly words: string }, param?: string) => ErrorAnswer;
};

/** HTTP routes whose handlers get the body as text, whatever its content type says: they read JSON themselves. */
export function textApp(options: TextAppOptions): FastifyInstance {
  const { log, bodyBytesMax, front, errorAnswer } = options;
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyBytesMax,
    serverFactory: (handler) => {
      front.serve(handler);
      return front.server;
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.setErrorHandler(async (error, _request, reply) => {
    const { status, body } = answerOf(error, options);
    return reply.code(status).type("application/json").send(body);
  });
  app.setNotFoundHandler(async (request, reply) => {
    const words = `There is no ${request.method} ${request.url.split("?")[0]} here.`;
    const { status, body } = errorAnswer({ code: "not-found", words });
    return reply.code(status).type("application/json").send(body);
  });
  return app;
}

function answerOf(error: unknown, { log, bodyBytesMax, errorAnswer }: TextAppOptions): ErrorAnswer {
  if (error instanceof Refusal) return errorAnswer({ code: error.code, words: error.message }, error.param);
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  const words = error instanceof Error ? error.message : String(error);
  if (status === 413) {
    return errorAnswer({ code: "too-large", words: `The body is larger than ${bodyBytesMax} bytes.` });
  }
  if (typeof status === "number" && status < 500) return errorAnswer({ code: "invalid", words });
  log.error({ err: error }, "a request met a mistake in pdctl");
  return errorAnswer({ code: "internal", words: `This is a mistake in pdctl: ${words}` });
}
