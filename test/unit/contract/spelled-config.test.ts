import { expect, test } from "vitest";
import { fleetConfigSchema } from "../../../src/contract/config.ts";
import { spelledConfig } from "../../../src/contract/spelled-config.ts";

test.each([
  { what: "the defaults", config: {} },
  {
    what: "every kind of value",
    config: {
      engines: [
        { name: "p", role: "prefill", driver: "native", pool: "1536KiB", start: "1500ms", stop: "2m" },
        { name: "d", role: "decode", driver: "sglang", url: "http://127.0.0.1:1", control: { timeout: "1h" } },
      ],
      policy: { poll: "250ms", restarts: { backoff: "500ms..2m" }, act: [] },
      canary: { every: "off" },
      notify: [{ webhook: "https://localhost/x" }],
    },
  },
])("a configuration that was read and is spelled again means the same: $what", ({ config }) => {
  const parsed = fleetConfigSchema.parse(config);
  const through = JSON.parse(JSON.stringify(spelledConfig(parsed))) as unknown;
  expect(fleetConfigSchema.parse(through)).toEqual(parsed);
});
