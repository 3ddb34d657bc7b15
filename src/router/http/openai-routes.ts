import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { headerNames } from "../../contract/openai.ts";
import { jsonBody } from "../../lib/json-body.ts";
import { Refusal } from "../../lib/refusal.ts";
import { clientAsk } from "../client-body.ts";
import type { RouterParts } from "../router-parts.ts";
import { begin } from "./begin.ts";
import { placeOf } from "./place-of.ts";

const openMax = 1024;

/** What clients ask for. */
export function openaiRoutes(app: FastifyInstance, parts: RouterParts): void {
  for (const path of ["/v1/completions", "/v1/chat/completions"]) {
    app.post(path, async (request, reply) => serve(parts, path, request, reply));
  }
}

function serve(parts: RouterParts, path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { name, draining, records } = parts;
  if (draining.aborted) throw new Refusal("draining", `Router ${name} is stopping.`);
  if (records.open >= openMax)
    throw soon(reply, new Refusal("saturated", `${openMax} requests are open: no more are taken until one ends.`));
  const ask = clientAsk(jsonBody(request.body));
  const askBytes = Buffer.byteLength(ask.members);
  const { place, canary } = placeOf(parts, request, askBytes);
  if (place.kind === "refused") throw soon(reply, place.refusal);
  reply.hijack();
  begin(parts, { path, ask, askBytes, canary, clientId: clientIdOf(request), place }, reply.raw);
  return reply;
}

function soon(reply: FastifyReply, refusal: Refusal): Refusal {
  reply.header("retry-after", "1");
  return refusal;
}

// It is only sent back, so anything that a header can hold will do.
function clientIdOf(request: FastifyRequest): string | undefined {
  const value = request.headers[headerNames.requestId];
  return typeof value === "string" && /^[\x20-\x7e]{1,256}$/.test(value) ? value : undefined;
}
