import { expect, test } from "vitest";
import { type ServerEvent, serverEvents } from "../../../src/client/server-events.ts";

async function batches(...parts: string[]): Promise<(readonly ServerEvent[])[]> {
  const found: (readonly ServerEvent[])[] = [];
  for await (const batch of serverEvents(bytesOf(parts))) found.push(batch);
  return found;
}

async function* bytesOf(parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield new TextEncoder().encode(part);
}

test("an event has a name, an id and its data", async () => {
  expect(await batches('id: 7\nevent: view\ndata: {"a":1}\n\n')).toEqual([
    [{ name: "view", id: "7", data: '{"a":1}' }],
  ]);
});

test("events that arrive in pieces, even within a letter, are whole", async () => {
  const bytes = new TextEncoder().encode("data: früh\n\ndata: b\n\n");
  async function* halves(): AsyncGenerator<Uint8Array> {
    yield bytes.slice(0, 9);
    yield bytes.slice(9);
  }
  const found: string[] = [];
  for await (const batch of serverEvents(halves())) found.push(...batch.map(({ data }) => data));
  expect(found).toEqual(["früh", "b"]);
});

test("events that came together are one batch; comments and half an event at the end are none", async () => {
  const found = await batches(": alive\n\n", "data: a\n\ndata: b\r\n\r\n", "data: half");
  expect(found.map((batch) => batch.map(({ data, name }) => `${name} ${data}`))).toEqual([["message a", "message b"]]);
});

test("an event without end is not collected without end", async () => {
  await expect(batches("x".repeat(17 * 1024 * 1024))).rejects.toThrow("an event of more than");
});
