import { z } from "zod";

/** Where something listens or is reached. Port 0 lets the system pick one. */
export type Address = { readonly host: string; readonly port: number };

const pattern = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/;

/** "127.0.0.1:8000" or "[::1]:8000"; undefined for anything else. */
export function addressOf(text: string): Address | undefined {
  const match = pattern.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) return undefined;
  return { host: match[1] ?? match[2] ?? "", port };
}

export function addressText({ host, port }: Address): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether only this machine can reach it. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

export const addressSchema = z
  .string({ error: 'must be an address such as "127.0.0.1:8000"' })
  .refine((text) => addressOf(text) !== undefined, 'must be an address such as "127.0.0.1:8000"');
