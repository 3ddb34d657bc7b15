import { randomBytes } from "node:crypto";
import { headerNames } from "../contract/openai.ts";
import { type ClientAsk, drawRoom, legBody } from "./client-body.ts";
import type { Edge } from "./edges/edge.ts";
import type { Letter } from "./exchange/exchange-options.ts";

/** Of one length, since some engines abort by the beginning of an id. */
export function drawId(): string {
  return randomBytes(16).toString("hex");
}

export type LetterParts = {
  readonly ask: ClientAsk;
  readonly path: string;
  readonly id: string;
  readonly attempt: number;
  readonly epoch: number;
  readonly secret: string | undefined;
};

/** What both engines of an edge get. */
export function writeLetter({ prefill }: Edge, { ask, path, id, attempt, epoch, secret }: LetterParts): Letter {
  const bootstrap = prefill?.bootstrap && { ...prefill.bootstrap, room: drawRoom() };
  const headers = {
    "content-type": "application/json",
    [headerNames.requestId]: id,
    [headerNames.epoch]: String(epoch),
    [headerNames.attempt]: String(attempt),
    ...(secret === undefined ? {} : { [headerNames.secret]: secret }),
  };
  const body = legBody(ask, { rid: id, bootstrap });
  return { id, room: bootstrap === undefined ? undefined : String(bootstrap.room), request: { path, headers, body } };
}
