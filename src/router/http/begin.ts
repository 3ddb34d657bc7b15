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
  const exchange: Exchange = new Exchange({
    ...{ id, askBytes, canary, limits },
    stream: ask.stream,
    client: new ClientAnswer(response, { id, clientId }),
    letter: (edge, attempt) =>
      writeLetter(edge, { ask, path, attempt, secret, epoch: sender.epoch, id: attempt === 1 ? id : drawId() }),
    events: eventsOf(parts, () => exchange),
  });
  records.add(exchange, { id, ...(clientId === undefined ? {} : { clientId }), path, stream: ask.stream });
  if (place.kind === "edge") exchange.send(place.edge);
  else sender.wait(exchange);
}

function eventsOf({ records, sender, log }: RouterParts, it: () => Exchange): ExchangeEvents {
  return {
    onSent: () => {
      const { attempts } = it();
      records.sent(it());
      if (attempts > 1) log.info({ ...edgeOf(it()), attempt: attempts }, "sent again");
    },
    onCommit: () => records.committed(it()),
    onEnd: (outcome, failure) => {
      sender.forget(it());
      const record = records.ended(it(), outcome, failure);
      if (failure !== undefined) log.warn({ ...edgeOf(it()), id: record?.id, ...failure }, "request failed");
    },
    onAckLost: (failure) => {
      records.ackLost();
      log.warn({ ...edgeOf(it()), ...failure }, "ack lost: prefill failed after decode had everything");
    },
    onLost: (failed) => sender.lost(it(), failed),
  };
}

function edgeOf({ sent }: Exchange): { readonly id?: string; readonly prefill?: string; readonly decode?: string } {
  if (sent === undefined) return {};
  const { edge, letter } = sent;
  return { id: letter.id, prefill: (edge.prefill ?? edge.decode).name, decode: edge.decode.name };
}
