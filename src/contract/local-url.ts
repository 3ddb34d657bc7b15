import { type Address, addressText } from "./address.ts";

/** Where a program on this machine reaches what listens there: a wildcard is no address to dial. */
export function localUrl({ host, port }: Address): string {
  const dialled = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${addressText({ host: dialled, port })}`;
}
