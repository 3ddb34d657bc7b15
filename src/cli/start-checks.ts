import { addressOf } from "../contract/address.ts";
import type { FleetConfig } from "../contract/config.ts";
import { PdctlError } from "../contract/errors.ts";
import { listenProblem } from "../lib/ports.ts";

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
