import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from "fastify";
import { answerClientError } from "./client-error.ts";
import type { ErrorAnswer, ErrorWriter } from "./error-answer.ts";
import type { HttpFront } from "./http-front.ts";
import { methodsByPath } from "./known-paths.ts";
import { bodyText, unsupportedType } from "./read-body.ts";
import { Refusal } from "./refusal.ts";

export type TextAppOptions = {
  readonly log: FastifyBaseLogger;
  readonly bodyBytesMax: number;
  /** Its requests come here from now on. */
  readonly front: HttpFront;
  /** How an error reads in this protocol. */
  readonly errorAnswer: ErrorWriter;
};

/** HTTP routes whose handlers get the body as text, and read its JSON themselves. */
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
    clientErrorHandler: (error, socket) => answerClientError(error, socket, errorAnswer),
    frameworkErrors: (error, _request, reply) => {
      const { status, body } = answerOf(error, options);
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      reply.raw.writeHead(status, headers).end(body);
    },
  });
  const methodsOf = methodsByPath(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, async (request: FastifyRequest, body: Buffer) =>
    bodyText(request.headers, body),
  );
  app.setErrorHandler(async (error, _request, reply) => {
    const { status, body } = answerOf(error, options);
    return reply.code(status).type("application/json").send(body);
  });
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split("?")[0] ?? "";
    const methods = methodsOf(path);
    const words = `There is no ${request.method} ${path} here`;
    if (methods.length > 0) reply.header("allow", methods.join(", "));
    const { status, body } = errorAnswer(
      methods.length > 0
        ? { code: "method-not-allowed", words: `${words}: it takes ${methods.join(", ")}.` }
        : { code: "not-found", words: `${words}.` },
    );
    return reply.code(status).type("application/json").send(body);
  });
  return app;
}

function answerOf(error: unknown, { log, bodyBytesMax, errorAnswer }: TextAppOptions): ErrorAnswer {
  if (error instanceof Refusal) return errorAnswer({ code: error.code, words: error.message }, error.param);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "FST_ERR_BAD_URL") return errorAnswer({ code: "invalid", words: "The path of the URL is not valid." });
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  const words = error instanceof Error ? error.message : String(error);
  if (status === 413) {
    return errorAnswer({ code: "too-large", words: `The body is larger than ${bodyBytesMax} bytes.` });
  }
  if (status === 415) return errorAnswer({ code: "unsupported-type", words: unsupportedType("").message });
  if (status === 414) return errorAnswer({ code: "not-found", words: "The path of the URL is longer than any here." });
  if (typeof status === "number" && status < 500) return errorAnswer({ code: "invalid", words });
  log.error({ err: error }, "a request met a mistake in pdctl");
  return errorAnswer({ code: "internal", words: `This is a mistake in pdctl: ${words}` });
}
