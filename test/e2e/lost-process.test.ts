import { afterAll, beforeAll, expect, test } from "vitest";
import { complete, told } from "./support/completions.ts";
import { Fleet } from "./support/fleet.ts";

let fleet: Fleet;
beforeAll(async () => {
  fleet = await Fleet.start({ config: ["policy: {poll: 500ms}"] });
});
afterAll(async () => await fleet.end());

const ask = { prompt: "The capital of France is", max_tokens: 8 };

test.each(["decode", "prefill", "router"])(
  "after SIGKILL of %s the set is back and a new request works",
  async (name) => {
    const good = await complete(fleet.url, ask);
    expect(good, fleet.said()).toMatchObject({ status: 200 });
    const before = await fleet.view();
    const old = [...before.engines, before.router].find((one) => one.name === name);
    const beganMs = performance.now();
    process.kill(await fleet.pidOf(name), "SIGKILL");

    const after = await fleet.seen(`${name} to be back`, 120_000, (view) =>
      view.state === "ready" && [...view.engines, view.router].some((one) => one.name === name && one.pid !== old?.pid)
        ? view
        : undefined,
    );
    expect(told(await complete(fleet.url, ask)), fleet.said()).toEqual(told(good));
    console.log(`${name}: killed, back and answering after ${((performance.now() - beganMs) / 1_000).toFixed(1)} s`);
    expect(after.url, "clients keep their URL").toBe(before.url);
    for (const one of [...after.engines, after.router]) {
      const was = [...before.engines, before.router].find((other) => other.name === one.name);
      expect(one.generation).toBe((was?.generation ?? 0) + (one.name === name ? 1 : 0));
    }
    const events = await fleet.cli(["events", "--since", "10m"]);
    expect(events.stdout).toMatch(new RegExp(`${name}.*(exited|SIGKILL)`));
  },
);
