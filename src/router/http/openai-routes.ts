import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { headerNames } from "../../contract/openai.ts";
import { jsonBody } from "../../lib/json-body.ts";
import { Refusal } from "../../lib/refusal.ts";
import { type ClientAsk, clientAsk, drawRoom, legBody } from "../client-body.ts";
import type { Edge } from "../edges.ts";
import { ClientAnswer } from "../exchange/client-answer.ts";
import { Exchange } from "../exchange/exchange.ts";
import type { RouterParts } from "../router-parts.ts";

const openMax = 1024;

/** What clients ask for. */
export function openaiRoutes(app: FastifyInstance, parts: RouterParts): void {
  for (const path of ["/v1/completions", "/v1/chat/completions"]) {
    app.post(path, async (request, reply) => {
      if (parts.draining.aborted) throw new Refusal("draining", `Router ${parts.name} is stopping.`);
      if (parts.records.open >= openMax) {
        reply.header("retry-after", "1");
        throw new Refusal("saturated", `${openMax} requests are open: no more are taken until one ends.`);
      }
      const ask = clientAsk(jsonBody(request.body));
      const edge = parts.edges.pick();
      if (edge === undefined) throw new Refusal("starting", `Router ${parts.name} has no engines.`);
      send(parts, { path, ask, edge, clientId: clientIdOf(request) }, reply);
      return reply;
    });
  }
}

type Sending = {
  readonly path: string;
  readonly ask: ClientAsk;
  readonly edge: Edge;
  readonly clientId: string | undefined;
};

function send(parts: RouterParts, { path, ask, edge, clientId }: Sending, reply: FastifyReply): void {
  const { records, limits, log } = parts;
  // Of one length, since some engines abort by the beginning of an id.
  const id = randomBytes(16).toString("hex");
  const { prefill, decode } = edge;
  const bootstrap = prefill && { ...prefill.target.bootstrap, room: drawRoom() };
  const body = legBody(ask, { rid: id, bootstrap });
  reply.hijack();
  const exchange = new Exchange({
    edge,
    request: { path, headers: legHeaders(parts, id), body },
    stream: ask.stream,
    client: new ClientAnswer(reply.raw, { id, clientId }),
    limits,
    onCommit: () => records.committed(id),
    onEnd: (outcome, failure) => {
      records.ended(id, outcome, failure);
      if (failure !== undefined)
        log.warn({ id, prefill: prefill?.target.name, decode: decode.target.name, ...failure }, "request failed");
    },
    onAckLost: (failure) => {
      records.ackLost();
      log.warn(
        { id, prefill: prefill?.target.name, ...failure },
        "ack lost: prefill failed after decode had everything",
      );
    },
  });
  const names = { prefill: (prefill ?? decode).target.name, decode: decode.target.name };
  const room = bootstrap === undefined ? {} : { room: String(bootstrap.room) };
  records.add(
    { id, ...(clientId === undefined ? {} : { clientId }), ...room, ...names, path, stream: ask.stream },
    exchange,
  );
  exchange.start();
}

function legHeaders({ secret }: RouterParts, id: string): Record<string, string> {
  return {
    "content-type": "application/json",
    [headerNames.requestId]: id,
    [headerNames.epoch]: "0",
    [headerNames.attempt]: "1",
    ...(secret === undefined ? {} : { [headerNames.secret]: secret }),
  };
}

// It is only sent back, so anything that a header can hold will do.
function clientIdOf(request: FastifyRequest): string | undefined {
  const value = request.headers[headerNames.requestId];
  return typeof value === "string" && /^[\x20-\x7e]{1,256}$/.test(value) ? value : undefined;
}
