import { randomBytes } from "node:crypto";
import type { Address } from "../contract/address.ts";
import { type Json, type JsonObject, writeExactJson } from "../lib/exact-json.ts";
import { Refusal } from "../lib/refusal.ts";

/** What a client asked for, without what only a router may say. */
export type ClientAsk = { readonly fields: JsonObject; readonly stream: boolean };

export function clientAsk(body: Json): ClientAsk {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new Refusal("invalid", "The body must be a JSON object.");
  }
  const fields = Object.fromEntries(Object.entries(body).filter(([field]) => !isRouters(field)));
  return { fields, stream: fields["stream"] === true };
}

const routersFields = ["rid", "routed_dp_rank", "kv_transfer_params"];

// With these a client could reach another's room, or make an engine dial where it likes.
function isRouters(field: string): boolean {
  return field.startsWith("bootstrap_") || field.startsWith("disagg_") || routersFields.includes(field);
}

export type Bootstrap = Address & { readonly room: bigint };

/** The body of both legs: the same bytes, with the id, the room, and a seed so that both draw the same tokens. */
export function legBody(
  { fields }: ClientAsk,
  { rid, bootstrap }: { rid: string; bootstrap: Bootstrap | undefined },
): Buffer {
  const seed = fields["seed"] ?? randomBytes(8).readBigUInt64BE() >> 1n;
  const pd: JsonObject =
    bootstrap === undefined
      ? {}
      : { bootstrap_host: bootstrap.host, bootstrap_port: bootstrap.port, bootstrap_room: bootstrap.room };
  return Buffer.from(written({ ...fields, seed, rid, ...pd }));
}

/** 63 bits, and never 0, which some engines take for none. */
export function drawRoom(): bigint {
  return randomBytes(8).readBigUInt64BE() >> 1n || 1n;
}

function written(body: JsonObject): string {
  try {
    return writeExactJson(body);
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal("invalid", "The body is nested too deeply.");
    throw error;
  }
}
