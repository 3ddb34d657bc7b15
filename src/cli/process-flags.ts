import { Flags } from "@oclif/core";
import { type Address, addressOf, addressText } from "../contract/address.ts";
import { PdctlError } from "../contract/errors.ts";
import { durationMaxMs, durationMs, durationText, sizeBytes, sizeText } from "../contract/units.ts";

/** Flags of the processes that the fleet is made of, with the readers of their values. */
export const addressFlag = Flags.custom<Address>({
  helpValue: "HOST:PORT",
  defaultHelp: async ({ options }) => shown(options.default, addressText),
  parse: async (text) => addressOf(text) ?? refuse(text, 'an address such as "127.0.0.1:8000"'),
});

export const durationFlag = Flags.custom<number>({
  helpValue: "DURATION",
  defaultHelp: async ({ options }) => shown(options.default, durationText),
  parse: async (text) => {
    const ms = durationMs(text) ?? refuse(text, 'a duration such as "250ms", "60s" or "10m"');
    // A timer of Node that is set for longer fires at once.
    return ms <= durationMaxMs ? ms : refuse(text, "at most 500h");
  },
});

export const sizeFlag = Flags.custom<number>({
  helpValue: "SIZE",
  defaultHelp: async ({ options }) => shown(options.default, sizeText),
  parse: async (text) => sizeBytes(text) ?? refuse(text, 'a size such as "512MiB"'),
});

export const processFlags = {
  listen: addressFlag({ summary: "Where it serves HTTP; port 0 picks one.", default: { host: "127.0.0.1", port: 0 } }),
  "allow-open": Flags.boolean({
    summary: "Allow addresses beyond loopback, although clients need no key.",
    default: false,
  }),
  "secret-file": Flags.string({ summary: "File of the fleet's secret.", helpValue: "FILE" }),
  "ready-file": Flags.string({ summary: "Write where it serves into this file, once it does.", helpValue: "FILE" }),
  lifeline: Flags.boolean({ summary: "End when stdin ends.", default: false }),
  "stop-limit": durationFlag({ summary: "How long open answers may go on after a stop.", default: 5_000 }),
};

export function refuse(found: string, expected: string): never {
  throw new PdctlError(
    "usage",
    `Expected ${expected}; found ${JSON.stringify(found)}.`,
    "the same command with --help",
  );
}

// Help shows a default as people write it.
function shown<T>(value: unknown, write: (value: T) => string): string | undefined {
  return value === undefined || Array.isArray(value) ? undefined : write(value as T);
}
