import { addressOf } from "../contract/address.ts";
import type { FleetConfig } from "../contract/config.ts";
import { PdctlError } from "../contract/errors.ts";
import { listenProblem } from "../lib/ports.ts";

/** Refuses what the configuration may say but this version cannot run yet. */
export function refuseUnsupported({ engines, router, transfer }: FleetConfig): void {
  const foreign = engines.find(({ driver }) => driver !== "native");
  if (foreign !== undefined) refuse(`driver ${foreign.driver} of engine ${foreign.name}`, "driver: native");
  const attached = engines.find(({ url }) => url !== undefined);
  if (attached !== undefined) refuse(`engine ${attached.name} with a url`, "an engine that pdctl starts itself");
  const both = engines.find(({ role }) => role === "both");
  if (both !== undefined)
    refuse(`role both of engine ${both.name} in a fleet`, "one engine of role prefill and one of role decode");
  if (router.driver !== "embedded") refuse(`router driver ${router.driver}`, "router: {driver: embedded}");
  if (transfer.backend !== "shm") refuse(`transfer back end ${transfer.backend}`, "transfer: {backend: shm}");
}

/** Looks at the router's port before models are loaded: the commonest reason why a start fails. */
export async function checkRouterPort({ router }: FleetConfig): Promise<void> {
  const address = addressOf(router.listen);
  if (address === undefined || address.port === 0) return;
  const problem = await listenProblem(address);
  if (problem === undefined) return;
  if (problem === "EADDRINUSE") {
    throw new PdctlError(
      "port-in-use",
      `Port ${address.port} on ${address.host} is in use: another process listens there.`,
      `another port with --listen ${address.host}:${address.port + 1}; ss -ltnp shows who holds it`,
    );
  }
  throw new PdctlError(
    "address-invalid",
    `The router cannot listen on ${router.listen}: ${problem}.`,
    "an address of this machine, such as 127.0.0.1:8000",
  );
}

function refuse(what: string, instead: string): never {
  throw new PdctlError("not-supported", `This version does not start ${what} yet.`, instead);
}
