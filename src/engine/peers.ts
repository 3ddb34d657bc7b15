import { addressText } from "../contract/address.ts";
import type { EngineOptions } from "../contract/process-options.ts";
import type { Peers } from "./ask/bootstrap.ts";

/** Which prefill engines a decode engine may dial: those named, or with none named its own machine, or any when open. */
export function peersOf({ peers, open }: Pick<EngineOptions, "peers" | "open">): Peers {
  if (peers.length > 0) return { kind: "listed", addresses: peers.map(addressText) };
  return { kind: open ? "any" : "loopback" };
}
