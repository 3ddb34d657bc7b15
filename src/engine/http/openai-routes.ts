import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { headerNames } from "../../contract/openai.ts";
import { jsonBody } from "../../lib/json-body.ts";
import { Refusal } from "../../lib/refusal.ts";
import { chunkFormat } from "../answer/chunk-format.ts";
import { prefillAnswer } from "../answer/prefill-answer.ts";
import { StreamWriter } from "../answer/stream-writer.ts";
import { TextAnswer } from "../answer/text-answer.ts";
import { WholeWriter } from "../answer/whole-writer.ts";
import { type Ask, type AskKind, readAsk } from "../ask/read-ask.ts";
import type { EngineParts } from "../engine-parts.ts";

/** What clients and routers ask for. */
export function openaiRoutes(app: FastifyInstance, parts: EngineParts): void {
  const startedUnixS = unixS(parts);
  app.get("/v1/models", async () => {
    const { servedName: id, native } = parts;
    return {
      object: "list",
      data: [{ id, object: "model", created: startedUnixS, owned_by: "pdctl", max_model_len: native.model.contextMax }],
    };
  });
  app.post("/v1/completions", async (request, reply) => serve(parts, "completion", request, reply));
  app.post("/v1/chat/completions", async (request, reply) => serve(parts, "chat", request, reply));
  app.get("/v1/requests", async () => ({ requests: parts.native.requests() }));
}

function serve(parts: EngineParts, kind: AskKind, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const ask = readAsk(kind, jsonBody(request.body), {
    native: parts.native,
    template: parts.template,
    rules: { role: parts.role, trusted: parts.trusts(request.headers[headerNames.secret]), peers: parts.peers },
    id: headerOf(request, headerNames.requestId) ?? randomBytes(16).toString("hex"),
  });
  const refused = parts.native.submit(ask.request);
  if (refused !== undefined) throw new Refusal(refused.code, refused.words);
  begin(parts, ask, reply);
  return reply;
}

// From here the answer is written as the engine's steps bring it, past the framework.
function begin(parts: EngineParts, ask: Ask, reply: FastifyReply): void {
  const { answers, native } = parts;
  const { id } = ask.request;
  reply.hijack();
  const response = reply.raw.setHeader(headerNames.requestId, id);
  const onEnd = (): void => answers.close(id);
  if (parts.role === "prefill") {
    answers.open(id, prefillAnswer(response, id, onEnd));
    response.once("close", () => {
      if (response.writableFinished) return;
      native.abort(id, { code: "aborted", words: "the router closed the connection" });
      onEnd();
    });
    return;
  }
  const writer = writerOf(parts, ask, reply);
  const answer = new TextAnswer({
    native,
    id,
    promptTokens: ask.request.prompt.length,
    stops: ask.stops,
    writer,
    onEnd,
  });
  answers.open(id, (event) => answer.take(event));
  response.once("close", () => answer.clientLeft());
}

function writerOf(parts: EngineParts, ask: Ask, reply: FastifyReply): StreamWriter | WholeWriter {
  const prefix = ask.kind === "chat" ? "chatcmpl" : "cmpl";
  const name = {
    kind: ask.kind,
    id: `${prefix}-${ask.request.id}`,
    model: parts.servedName,
    createdUnixS: unixS(parts),
  };
  return ask.stream
    ? new StreamWriter(reply.raw, chunkFormat(name, ask.includeUsage))
    : new WholeWriter(reply.raw, name);
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function unixS({ clock }: EngineParts): number {
  return Math.floor(clock.wallMs() / 1000);
}
