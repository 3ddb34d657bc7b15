import type { IncomingMessage, Server, ServerResponse } from "node:http";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";

export type ErrorAnswer = { readonly status: number; readonly body: string };

export type TextAppOptions = {
  readonly log: FastifyBaseLogger;
  readonly bodyBytesMax: number;
  /** Takes over requests; the server listens elsewhere. */
  readonly server: (handler: (request: IncomingMessage, response: ServerResponse) => void) => Server;
  /** What a thrown error says to the client. */
  readonly answerOf: (error: unknown) => ErrorAnswer;
  readonly unknownRoute: (method: string, url: string) => ErrorAnswer;
};

/** HTTP routes whose handlers get the body as text, whatever its content type says: they read JSON themselves. */
export function textApp({ log, bodyBytesMax, server, answerOf, unknownRoute }: TextAppOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyBytesMax,
    serverFactory: server,
    forceCloseConnections: false,
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.setErrorHandler(async (error, _request, reply) => {
    const { status, body } = answerOf(error);
    return reply.code(status).type("application/json").send(body);
  });
  app.setNotFoundHandler(async (request, reply) => {
    const { status, body } = unknownRoute(request.method, request.url);
    return reply.code(status).type("application/json").send(body);
  });
  return app;
}
