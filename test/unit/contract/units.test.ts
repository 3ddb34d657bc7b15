import { expect, test } from "vitest";
import { addressOf, addressText, isLoopback } from "../../../src/contract/address.ts";
import { durationMs, durationText, sizeBytes, sizeText } from "../../../src/contract/units.ts";

test.each([
  { text: "250ms", ms: 250 },
  { text: "60s", ms: 60_000 },
  { text: "1.5s", ms: 1_500 },
  { text: "10m", ms: 600_000 },
  { text: "2h", ms: 7_200_000 },
  { text: "60", ms: undefined },
  { text: "s", ms: undefined },
  { text: "-1s", ms: undefined },
  { text: "1 s", ms: undefined },
])("the duration $text is $ms ms", ({ text, ms }) => {
  expect(durationMs(text)).toBe(ms);
});

test.each([1, 250, 1_000, 1_500, 300_000])("%i ms are read back as they were written", (ms) => {
  expect(durationMs(durationText(ms))).toBe(ms);
});

test.each([
  { text: "512KiB", bytes: 524_288 },
  { text: "256MiB", bytes: 268_435_456 },
  { text: "1GiB", bytes: 1_073_741_824 },
  { text: "256MB", bytes: undefined },
  { text: "256", bytes: undefined },
])("the size $text is $bytes bytes", ({ text, bytes }) => {
  expect(sizeBytes(text)).toBe(bytes);
  if (bytes !== undefined) expect(sizeBytes(sizeText(bytes))).toBe(bytes);
});

test.each([
  { text: "127.0.0.1:8000", address: { host: "127.0.0.1", port: 8000 } },
  { text: "[::1]:0", address: { host: "::1", port: 0 } },
  { text: "example.org:443", address: { host: "example.org", port: 443 } },
  { text: "8000", address: undefined },
  { text: "127.0.0.1:65536", address: undefined },
  { text: "::1:8000", address: undefined },
])("the address $text is read", ({ text, address }) => {
  expect(addressOf(text)).toEqual(address);
  if (address !== undefined) expect(addressText(address)).toBe(text);
});

test.each([
  { host: "127.0.0.1", loopback: true },
  { host: "127.1.2.3", loopback: true },
  { host: "::1", loopback: true },
  { host: "localhost", loopback: true },
  { host: "0.0.0.0", loopback: false },
  { host: "10.0.0.1", loopback: false },
])("$host is reachable from this machine only: $loopback", ({ host, loopback }) => {
  expect(isLoopback(host)).toBe(loopback);
});
