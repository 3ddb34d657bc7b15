import { build, type Metafile } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { bundleOptions } from "../../../scripts/bundle-options.mjs";

type Outputs = Metafile["outputs"];

let outputs: Outputs = {};

beforeAll(async () => {
  ({
    metafile: { outputs },
  } = await build({ ...bundleOptions(), metafile: true }));
}, 120_000);

test("no entry but top reaches Ink or React, not even late", () => {
  const others = entries().filter((entry) => entry !== "src/commands/top.ts");
  expect(others.length).toBeGreaterThan(5);
  expect(others.filter((entry) => drawsBy(reached(entry, { late: true })))).toEqual([]);
});

test("top itself has Ink behind its door only: one frame is printed without it", () => {
  expect(drawsBy(reached("src/commands/top.ts", { late: false }))).toBe(false);
  expect(drawsBy(reached("src/commands/top.ts", { late: true }))).toBe(true);
});

test("React is the one for production, and its development tools are left out", () => {
  const inputs = [...reached("src/commands/top.ts", { late: true })];
  expect(inputs.filter((input) => input.includes("react") && input.includes(".development."))).toEqual([]);
  expect(inputs.filter((input) => input.includes("react-devtools-core"))).toEqual([]);
});

function entries(): string[] {
  return Object.values(outputs).flatMap(({ entryPoint }) =>
    entryPoint?.startsWith("src/commands/") || entryPoint === "src/main.ts" ? [entryPoint] : [],
  );
}

/** The source files of everything that an entry loads: at its start, and with `late` also by await import(). */
function reached(entry: string, { late }: { readonly late: boolean }): Set<string> {
  const files = new Set<string>();
  const waiting = Object.keys(outputs).filter((file) => outputs[file]?.entryPoint === entry);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const next = outputs[file]?.imports.filter(
      ({ kind, external }) => !external && (late || kind === "import-statement"),
    );
    waiting.push(...(next ?? []).map(({ path }) => path));
  }
  return new Set([...files].flatMap((file) => Object.keys(outputs[file]?.inputs ?? {})));
}

function drawsBy(inputs: Set<string>): boolean {
  return [...inputs].some((input) => /^node_modules\/(ink|react|react-reconciler|yoga-layout)\//.test(input));
}
