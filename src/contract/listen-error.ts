import { type Address, addressText, isLoopback } from "./address.ts";
import { PdctlError } from "./errors.ts";

/** What a user can do about an address that cannot be listened on; `error` is the system's. */
export function listenError(error: unknown, address: Address): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const place = addressText(address);
  switch (code) {
    case "EADDRINUSE":
      return new PdctlError(
        "port-in-use",
        `Another process listens on ${place}.`,
        `another port, or find it with: ss -ltnp 'sport = :${address.port}'`,
        { cause: error },
      );
    case "EACCES":
      return new PdctlError(
        "address-invalid",
        `Listening on ${place} is not permitted: ports below 1024 need rights.`,
        "a port from 1024 on",
        { cause: error },
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new PdctlError(
        "address-invalid",
        `${place} is not an address of this machine.`,
        "127.0.0.1:0, or an address that `ip address` shows",
        { cause: error },
      );
    default:
      return error;
  }
}

/** Who listens for others must say so: nothing here asks clients for a key. */
export function checkExposure(address: Address, { flag, allowed }: { flag: string; allowed: boolean }): void {
  if (allowed || isLoopback(address.host)) return;
  throw new PdctlError(
    "address-invalid",
    `${flag} ${addressText(address)} can be reached from other machines, and no key is asked for.`,
    "an address on loopback, or --allow-open where the network itself keeps others out",
  );
}
