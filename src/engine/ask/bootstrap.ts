import { addressText, isLoopback } from "../../contract/address.ts";
import { bootstrapFields, type ChatBody, type CompletionBody } from "../../contract/openai.ts";
import { invalid, Refusal } from "../../lib/refusal.ts";
import type { NativeRequest } from "../native.ts";

export type BootstrapRules = {
  readonly role: "prefill" | "decode" | "both";
  /** The request proved that it knows the fleet's secret, or this engine asks nobody for it. */
  readonly trusted: boolean;
  /** Bootstrap addresses that a decode engine may dial. */
  readonly peers: Peers;
};

/** `listed`: these host:port only; without a list a decode engine dials its own machine. */
export type Peers =
  | { readonly kind: "any" }
  | { readonly kind: "loopback" }
  | { readonly kind: "listed"; readonly addresses: readonly string[] };

type Bootstrap = NonNullable<NativeRequest["bootstrap"]>;

/** Where the other half of the request is. Only a router says so, and only a router may. */
export function bootstrapOf(body: ChatBody | CompletionBody, rules: BootstrapRules): Bootstrap | undefined {
  const field = bootstrapFields.find((name) => body[name] !== null && body[name] !== undefined);
  if (field === undefined) {
    if (rules.role === "both") return undefined;
    throw invalid(
      "bootstrap_room",
      `This engine's role is ${rules.role}: requests come through a router, which adds bootstrap_room. Send this one to the router.`,
    );
  }
  if (!rules.trusted)
    throw new Refusal("forbidden", `${field} is for routers: the header x-pdctl-secret is missing or wrong.`, field);
  const room = roomOf(body.bootstrap_room);
  switch (rules.role) {
    case "both":
      throw invalid(field, `This engine prefills and decodes by itself and takes no ${field}.`);
    case "prefill":
      return { host: body.bootstrap_host ?? "", port: body.bootstrap_port ?? 0, room };
    case "decode":
      return { ...prefillOf(body, rules.peers), room };
  }
}

const roomMax = 2n ** 63n - 1n;

function roomOf(found: CompletionBody["bootstrap_room"]): bigint {
  if (found === null || found === undefined) throw invalid("bootstrap_room", "bootstrap_room is missing.");
  const room = typeof found !== "string" || /^\d{1,40}$/.test(found) ? BigInt(found) : undefined;
  if (room !== undefined && room >= 0n && room <= roomMax) return room;
  throw invalid(
    "bootstrap_room",
    `bootstrap_room must be a whole number from 0 to ${roomMax} (2^63 - 1); found ${String(found).slice(0, 40)}.`,
  );
}

function prefillOf(body: ChatBody | CompletionBody, peers: Peers): { readonly host: string; readonly port: number } {
  const host = body.bootstrap_host;
  const port = body.bootstrap_port;
  if (typeof host !== "string")
    throw invalid(
      "bootstrap_host",
      "bootstrap_host is missing: a decode engine must know where its prefill engine is.",
    );
  if (typeof port !== "number")
    throw invalid(
      "bootstrap_port",
      "bootstrap_port is missing: a decode engine must know where its prefill engine is.",
    );
  if (mayDial(peers, host, port)) return { host, port };
  const words = `This engine does not connect to ${addressText({ host, port })}: it is not one of its prefill engines. Start it with --peer HOST:PORT to allow it.`;
  throw new Refusal("forbidden", words, "bootstrap_host");
}

function mayDial(peers: Peers, host: string, port: number): boolean {
  switch (peers.kind) {
    case "any":
      return true;
    case "loopback":
      return isLoopback(host);
    case "listed":
      return peers.addresses.includes(addressText({ host, port }));
  }
}
