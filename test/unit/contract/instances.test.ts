import { expect, test } from "vitest";
import { fleetConfigSchema } from "../../../src/contract/config.ts";
import { instances } from "../../../src/contract/instances.ts";

test("a count makes numbered instances with stepped ports; without one the name stands alone", () => {
  const config = fleetConfigSchema.parse({
    engines: [
      {
        name: "prefill",
        role: "prefill",
        driver: "native",
        count: 2,
        port: 9000,
        "bootstrap-port": 9500,
        "port-step": 10,
      },
      { name: "decode", role: "decode", driver: "native", count: 1 },
      { name: "spare", role: "decode", driver: "native" },
    ],
  });
  expect(instances(config).map(({ name, port, bootstrapPort }) => [name, port, bootstrapPort])).toEqual([
    ["prefill-0", 9000, 9500],
    ["prefill-1", 9010, 9510],
    ["decode-0", 0, 0],
    ["spare", 0, 0],
  ]);
});
