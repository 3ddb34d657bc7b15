import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { complete } from "./support/completions.ts";
import { Fleet } from "./support/fleet.ts";
import { random } from "./support/texts.ts";
import { within } from "./support/until.ts";

let fleet: Fleet;
beforeAll(async () => {
  fleet = await Fleet.start();
});
afterAll(async () => await fleet.end());

const hostile: readonly { readonly what: string; readonly bytes: Buffer }[] = [
  { what: "a web request", bytes: Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n") },
  { what: "an HTTP/2 preface", bytes: Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") },
  { what: "a length beyond any frame", bytes: Buffer.from("ffffffff00", "hex") },
  { what: "a length of nothing", bytes: Buffer.from("0000000000000000", "hex") },
  { what: "noise", bytes: noise(4096) },
  { what: "a mebibyte of noise", bytes: noise(1 << 20) },
];

test.each(hostile)(
  "$what on the bootstrap port: the connection is closed, it is counted, and the engine goes on",
  async ({ bytes }) => {
    const { prefill } = await fleet.engines();
    const before = counted(await prefill.state());
    await within("the engine to close the connection", 20_000, sendAndAwaitClose(await port(), bytes));
    await expect.poll(async () => counted(await prefill.state()), { timeout: 10_000 }).toBeGreaterThan(before);
    expect(
      await complete(fleet.url, { prompt: "The capital of France is", max_tokens: 2 }),
      fleet.said(),
    ).toMatchObject({ status: 200 });
  },
);

async function port(): Promise<number> {
  const found = (await fleet.view()).engines.find((engine) => engine.name === "prefill")?.bootstrapPort;
  if (found === undefined) throw new Error("prefill shows no bootstrap port");
  return found;
}

function counted({
  totals,
}: {
  readonly totals: { readonly framesHostile: number; readonly handshakesRefused: number };
}): number {
  return totals.framesHostile + totals.handshakesRefused;
}

async function sendAndAwaitClose(port: number, bytes: Buffer): Promise<void> {
  await new Promise<void>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.on("error", () => {}); // a reset is a way to close
    socket.on("close", () => resolve());
    socket.resume();
  });
}

function noise(length: number): Buffer {
  const next = random(length);
  return Buffer.from(Array.from({ length }, () => Math.floor(next() * 256)));
}
