import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DaemonClient } from "../../../../src/client/daemon-client.ts";
import { send } from "../../../../src/lib/http-json.ts";
import { event, ServedApi, view } from "./support.ts";

let api: ServedApi;
let client: DaemonClient;
const ending = AbortSignal.timeout(60_000);

beforeEach(async () => {
  api = new ServedApi();
  await api.start();
  client = new DaemonClient(api.socket);
});
afterEach(async () => await api.end());

async function listeners(hub: { readonly hasListeners: boolean }, wanted: boolean): Promise<void> {
  while (hub.hasListeners !== wanted && !ending.aborted) await pause(10);
}

test("events that have happened come at once, and the stream ends", async () => {
  const past = await client.pastEvents("1", ending);
  expect(past.map(({ id }) => id)).toEqual([2, 3]);
});

test("a reader that follows gets what was and what comes, each once", async () => {
  const stop = new AbortController();
  const got: number[] = [];
  const reading = (async () => {
    for await (const { id } of client.events("2", stop.signal)) {
      got.push(id);
      if (id === 5) stop.abort();
    }
  })();
  await listeners(api.events, true);
  api.events.tell(event(4));
  api.events.tell(event(5));
  await reading;
  expect(got).toEqual([3, 4, 5]);
  await listeners(api.events, false);
  expect(api.events.hasListeners).toBe(false);
});

test("the live view and the observations are streams of their own", async () => {
  const stop = new AbortController();
  const views = client.live(stop.signal);
  const first = views.next();
  await listeners(api.views, true);
  api.views.tell({ fleet: view, requests: [], host: {} });
  expect((await first).value).toEqual({ fleet: view, requests: [], host: {} });

  const lines = client.observations(stop.signal);
  expect((await lines.next()).value).toMatchObject({ kind: "fleet" });
  await listeners(api.observations, true);
  api.observations.tell({ kind: "sample", t: 1, id: "p0" });
  expect((await lines.next()).value).toEqual({ kind: "sample", t: 1, id: "p0" });
  stop.abort();
});

test("a reader that does not read is let go of, and holds up nobody", async () => {
  const path = "/v1/events?since=3&follow=1";
  const response = await send({ socket: api.socket, path }, { signal: ending });
  response.pause();
  response.on("error", () => undefined);
  await listeners(api.events, true);
  const words = "x".repeat(64 * 1024);
  for (let id = 4; id < 200 && api.events.hasListeners; id += 1) {
    api.events.tell({ ...event(id), words });
    await pause(1);
  }
  await listeners(api.events, false);
  expect(api.events.hasListeners).toBe(false);
  expect(api.mistakes).toEqual([]);
  response.destroy();
});

test("an API that is closed ends its streams", async () => {
  const response = await send({ socket: api.socket, path: "/v1/events?follow=1" }, { signal: ending });
  const ended = new Promise((resolve) => response.once("close", resolve));
  response.on("error", () => undefined).resume();
  await listeners(api.events, true);
  await api.end();
  await ended;
});
