import { afterAll, beforeAll, expect, test } from "vitest";
import { requestDetailSchema, requestListSchema } from "../../src/contract/request-view.ts";
import { environment, pdctl } from "./support/environment.ts";
import { Fleet } from "./support/fleet.ts";
import { filesIn, makeHome, removeHome } from "./support/home.ts";
import { kvBytesOfToken, modelPath } from "./support/model.ts";
import { processesOf } from "./support/processes.ts";
import { finished } from "./support/running.ts";

const question = "What is the capital of France?";

test("one command in a fresh home answers from the real model, shows the timeline and leaves nothing behind", async () => {
  const home = makeHome();
  try {
    await modelPath(home);
    const run = await finished(pdctl, ["run", question], { env: environment(home) }, 180_000);
    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(run.stdout).toContain("Paris");
    expect(run.stderr).toMatch(/^request [0-9a-f]{8} {2}prefill .* transfer .* decode .*$/m);
    expect(processesOf(home)).toEqual([]);
    expect(filesIn(home).filter((name) => /\.sock$|run\/./.test(name))).toEqual([]);
  } finally {
    removeHome(home);
  }
});

let fleet: Fleet;
beforeAll(async () => {
  fleet = await Fleet.start();
});
afterAll(async () => await fleet.end());

test("a request goes through bootstrap, prefill, transfer and decode, and every byte of its prompt's KV moves once", async () => {
  const run = await finished(pdctl, ["run", question, "--socket", fleet.socket], { env: fleet.env });
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(run.stdout).toContain("Paris");

  const reqs = await finished(pdctl, ["reqs", "--socket", fleet.socket, "-o", "json"], { env: fleet.env });
  expect(reqs, reqs.stderr).toMatchObject({ code: 0 });
  expect(requestListSchema.parse(JSON.parse(reqs.stdout)).unanswered).toEqual([]);

  const { prefill, decode } = await fleet.engines();
  const [sent] = (await prefill.records()).filter((record) => record.stage === "finished");
  if (sent === undefined) throw new Error(`no finished request on prefill\n${fleet.said()}`);
  const inspect = await finished(pdctl, ["inspect", "req", sent.id, "--socket", fleet.socket, "-o", "json"], {
    env: fleet.env,
  });
  expect(inspect, inspect.stderr).toMatchObject({ code: 0 });
  const { request, legs, unanswered } = requestDetailSchema.parse(JSON.parse(inspect.stdout));
  expect(unanswered).toEqual([]);
  expect(legs.map((leg) => leg.engine).sort()).toEqual(["decode", "prefill"]);
  for (const stage of ["bootstrap", "prefill", "transfer", "decode"] as const) {
    const span = request.spans.find((one) => one.stage === stage);
    expect(span?.durationMs, `duration of ${stage}`).toBeGreaterThanOrEqual(0);
  }
  expect(request.promptTokens).toBeGreaterThan(0);
  expect(request.bytesTotal).toBe(kvBytesOfToken * (request.promptTokens ?? 0));
  expect(request.bytesDone).toBe(request.bytesTotal);
  expect((await decode.state()).totals.transferBytes).toBeGreaterThanOrEqual(request.bytesTotal ?? Number.NaN);
});

test("an unknown request is an error that says how long records are kept", async () => {
  const inspect = await finished(pdctl, ["inspect", "req", "no-such-request", "--socket", fleet.socket], {
    env: fleet.env,
  });
  expect(inspect.code).toBe(1);
  expect(inspect.stderr).toMatch(/no-such-request.*last [\d,]+ ended/s);
});
