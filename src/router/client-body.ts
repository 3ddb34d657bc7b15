import { randomBytes } from "node:crypto";
import type { Address } from "../contract/address.ts";
import { type Json, type JsonObject, writeExactJson } from "../lib/exact-json.ts";
import { Refusal } from "../lib/refusal.ts";

/** What a client asked for, without what only a router may say. */
export type ClientAsk = {
  /** The fields as JSON members, written once however often they are sent. */
  readonly members: string;
  readonly seeded: boolean;
  readonly stream: boolean;
};

export function clientAsk(body: Json): ClientAsk {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new Refusal("invalid", "The body must be a JSON object.");
  }
  const fields = Object.fromEntries(Object.entries(body).filter(([field]) => !isRouters(field)));
  const seeded = fields["seed"] !== undefined && fields["seed"] !== null;
  // A null seed is none, and must not stand beside the one that is drawn.
  const { seed: _none, ...unseeded } = fields;
  return { members: membersOf(seeded ? fields : unseeded), seeded, stream: fields["stream"] === true };
}

const routersFields = ["rid", "routed_dp_rank", "kv_transfer_params"];

// With these a client could reach another's room, or make an engine dial where it likes.
function isRouters(field: string): boolean {
  return field.startsWith("bootstrap_") || field.startsWith("disagg_") || routersFields.includes(field);
}

export type Bootstrap = Address & { readonly room: bigint };

/** The body of both legs: the same bytes, with the id, the room, and a seed so that both draw the same tokens. */
export function legBody(
  { members, seeded }: ClientAsk,
  { rid, bootstrap }: { rid: string; bootstrap: Bootstrap | undefined },
): Buffer {
  const seed: JsonObject = seeded ? {} : { seed: randomBytes(8).readBigUInt64BE() >> 1n };
  const pd: JsonObject =
    bootstrap === undefined
      ? {}
      : { bootstrap_host: bootstrap.host, bootstrap_port: bootstrap.port, bootstrap_room: bootstrap.room };
  const own = membersOf({ ...seed, rid, ...pd });
  return Buffer.from(members === "" ? `{${own}}` : `{${members},${own}}`);
}

/** 63 bits, and never 0, which some engines take for none. */
export function drawRoom(): bigint {
  return randomBytes(8).readBigUInt64BE() >> 1n || 1n;
}

function membersOf(body: JsonObject): string {
  try {
    return writeExactJson(body).slice(1, -1);
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal("invalid", "The body is nested too deeply.");
    throw error;
  }
}
