import { expect, test } from "vitest";
import { drainEngine, failEngineRequest, resumeEngine } from "../../../src/drivers/native/control.ts";
import { limited } from "../../../src/lib/wait.ts";
import { eventually, post } from "./support/clients.ts";
import { type RunningEngine, runningEngine, secret } from "./support/running-engine.ts";

async function withRequest(): Promise<RunningEngine & { readonly fail: (id: string) => Promise<string> }> {
  const engine = await runningEngine();
  post(`${engine.url}/v1/completions`, { prompt: "x", rid: "r1" }).catch(() => undefined);
  await eventually(() => expect(engine.native.submitted).toHaveLength(1));
  const door = { url: engine.url, secret };
  return {
    ...engine,
    fail: async (id) => (await failEngineRequest(door, id, "an operator asked", limited(20_000))).words,
  };
}

test("what was released is told in words, and a second fail changes nothing", async () => {
  const { fail, native } = await withRequest();
  expect(await fail("r1")).toBe("released 3 pages (in inflight, room 7)");
  expect(await fail("r1")).toBe("had ended already (inflight)");
  expect(native.aborted).toHaveLength(1);
});

test("an engine whose loop does not turn is said to have released nothing yet", async () => {
  const { fail, native } = await withRequest();
  native.turns = false;
  expect(await fail("r1")).toBe("was told, but has released nothing yet (in inflight, room 7, 3 pages)");
});

test("a room that no request had is closed, and an unknown id is no error", async () => {
  const { fail, native } = await withRequest();
  expect(await fail("77")).toBe("closed room 77, which no request had");
  expect(native.abortedRooms).toEqual([77n]);
  expect(await fail("r9")).toBe("keeps no record of it");
});

test("an engine is drained and resumed; a wrong secret is an error that says what was answered", async () => {
  const { url, native } = await runningEngine();
  const door = { url, secret };
  await drainEngine(door, limited(20_000));
  expect(native.draining).toBe(true);
  await resumeEngine(door, limited(20_000));
  expect(native.draining).toBe(false);
  await expect(drainEngine({ url, secret: "wrong" }, limited(20_000))).rejects.toThrow(
    /POST \/admin\/v1\/drain answered 403: The header x-pdctl-secret is missing or wrong/,
  );
});
