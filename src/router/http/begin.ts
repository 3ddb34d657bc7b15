import type { ServerResponse } from "node:http";
import type { ClientAsk } from "../client-body.ts";
import { ClientAnswer } from "../exchange/client-answer.ts";
import { Exchange } from "../exchange/exchange.ts";
import type { ExchangeEvents } from "../exchange/exchange-options.ts";
import { drawId, writeLetter } from "../letter.ts";
import type { RouterParts } from "../router-parts.ts";
import type { Place } from "../sending/sender.ts";

export type Begun = {
  readonly path: string;
  readonly ask: ClientAsk;
  readonly askBytes: number;
  readonly canary: boolean;
  readonly clientId: string | undefined;
  readonly place: Exclude<Place, { kind: "refused" }>;
};

/** Sends a new request on its way, or to those who wait. From here on its answer is written past the framework. */
export function begin(parts: RouterParts, asked: Begun, response: ServerResponse): void {
  const { records, sender, limits, secret } = parts;
  const { path, ask, askBytes, canary, clientId, place } = asked;
  const id = drawId();
  const exchange = new Exchange({
    ...{ id, askBytes, canary, limits },
    stream: ask.stream,
    client: new ClientAnswer(response, { id, clientId }),
    letter: (edge, attempt) =>
      writeLetter(edge, { ask, path, attempt, secret, epoch: sender.epoch, id: attempt === 1 ? id : drawId() }),
    events: eventsOf(parts),
  });
  records.add(exchange, { id, ...(clientId === undefined ? {} : { clientId }), path, stream: ask.stream });
  if (place.kind === "edge") exchange.send(place.edge);
  else sender.wait(exchange);
}

function eventsOf({ records, sender, log }: RouterParts): ExchangeEvents {
  return {
    onSent: (exchange) => {
      records.sent(exchange);
      if (exchange.attempts > 1) log.info({ ...edgeOf(exchange), attempt: exchange.attempts }, "sent again");
    },
    onCommit: (exchange) => records.committed(exchange),
    onEnd: (exchange, outcome, failure) => {
      sender.forget(exchange);
      const record = records.ended(exchange, outcome, failure);
      if (failure !== undefined) log.warn({ ...edgeOf(exchange), id: record?.id, ...failure }, "request failed");
    },
    onAckLost: (exchange, failure) => {
      records.ackLost();
      log.warn({ ...edgeOf(exchange), ...failure }, "ack lost: prefill failed after decode had everything");
    },
    onLost: (exchange, failed) => sender.lost(exchange, failed),
  };
}

function edgeOf({ sent }: Exchange): { readonly id?: string; readonly prefill?: string; readonly decode?: string } {
  if (sent === undefined) return {};
  const { edge, letter } = sent;
  return { id: letter.id, prefill: (edge.prefill ?? edge.decode).name, decode: edge.decode.name };
}
