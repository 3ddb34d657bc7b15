import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { actionOf, FleetUnderTest } from "./fleet-under-test.ts";

const fleets: FleetUnderTest[] = [];

afterEach(async () => {
  for (const fleet of fleets.splice(0)) await fleet.close();
});

const up = actionOf("up", { action: "start", target: "fleet" });
const coRestart = actionOf("co", {
  action: "co-restart",
  target: "edge prefill:decode",
  engines: ["prefill", "decode"],
  requests: ["r1"],
});

async function fleetUp(): Promise<FleetUnderTest> {
  const fleet = new FleetUnderTest();
  fleets.push(fleet);
  await fleet.open();
  expect(await fleet.run(up)).toMatchObject({ outcome: "done" });
  return fleet;
}

test("a co-restart holds, ends both, starts both under a new epoch, tries the pair, and admits", async () => {
  const fleet = await fleetUp();
  const before = fleet.calls().length;
  expect(await fleet.run(coRestart)).toMatchObject({ outcome: "done", details: ["the epoch is 2"] });
  const calls = fleet.calls().slice(before);
  expect(calls[0]).toBe("router hold 2 prefill decode not r1");
  expect(calls.slice(-3)).toEqual([
    "router edges 2 prefill.2 decode.2",
    "router canary prefill:decode",
    "router admit 2",
  ]);
  expect(calls.indexOf("prefill ready engine")).toBeLessThan(calls.indexOf("decode ready engine"));
  expect(calls.filter((line) => line.endsWith(" term")).sort()).toEqual(["decode term", "prefill term"]);
  expect(JSON.parse(readFileSync(fleet.places.intent, "utf8"))).toEqual({ wish: "up", epoch: 2 });
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "killed after the intent of step %i, it is completed by the next owner",
  async (step) => {
    const fleet = await fleetUp();
    fleet.supervisor?.close();
    const owner = await fleet.own([coRestart], {
      PDCTL_TEST_LIMITS: "1",
      PDCTL_TEST_DIE_AT: `co-restart:${step}`,
    });
    const [, signal] = (await once(owner, "exit")) as [unknown, string];
    expect(signal).toBe("SIGKILL");
    await fleet.open();
    expect(fleet.supervisor?.view().epoch).toBe(2);
    expect(await fleet.outcomeOf("co")).toMatchObject({
      outcome: "done",
      details: expect.arrayContaining(["the epoch is 2"]) as [],
    });
    const view = fleet.supervisor?.view();
    expect(view).toMatchObject({ epoch: 2, serves: true });
    expect(view?.processes.map(({ spec, generation }) => `${spec.name}.${generation}`)).toEqual([
      "prefill.2",
      "decode.2",
      "router.1",
    ]);
    expect(fleet.calls().filter((line) => line === "prefill term")).toHaveLength(1);
    expect(fleet.calls().at(-1)).toBe("router admit 2");
  },
);
