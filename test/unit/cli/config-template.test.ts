import { expect, test } from "vitest";
import { parseConfig } from "../../../src/cli/config-file.ts";
import { configTemplate } from "../../../src/cli/config-template.ts";
import { fleetConfigSchema } from "../../../src/contract/config.ts";

const options = { name: "pdctl.yaml", env: {} };

test("the file that config init writes is valid, and changes nothing", () => {
  expect(parseConfig(configTemplate, options).config).toEqual(parseConfig("", options).config);
});

test("it names every uppermost key", () => {
  const missing = Object.keys(fleetConfigSchema.shape).filter(
    (key) => !new RegExp(`^(# )?${key}:`, "m").test(configTemplate),
  );
  expect(missing).toEqual([]);
});
