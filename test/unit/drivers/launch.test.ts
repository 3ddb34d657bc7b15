import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fleetConfigSchema } from "../../../src/contract/config.ts";
import { instances } from "../../../src/contract/instances.ts";
import { flagsOf } from "../../../src/drivers/argv.ts";
import { routerSpec } from "../../../src/drivers/embedded-router/launch.ts";
import { engineSpec } from "../../../src/drivers/native/launch.ts";
import type { ProcessSpec } from "../../../src/drivers/process-spec.ts";
import { readyOf } from "../../../src/drivers/ready-file.ts";

const ground = {
  self: ["/node", "/main.js"],
  env: { A: "1" },
  cwd: "/work",
  run: "/state/run",
  secretFile: "/state/secret",
};
const config = fleetConfigSchema.parse({
  engines: [
    {
      name: "prefill",
      role: "prefill",
      driver: "native",
      count: 2,
      port: 9000,
      pool: "512MiB",
      args: { "scattered-pages": true, note: "a b" },
      env: { B: "2" },
      start: "5m",
    },
    { name: "decode", role: "decode", driver: "native", "allow-faults": true },
  ],
  deadlines: { inflight: "2s", connect: "250ms" },
});

function spec(name: string): ProcessSpec {
  const one = instances(config).find((instance) => instance.name === name);
  if (one === undefined) throw new Error(name);
  return engineSpec(one, { config, model: "/m.gguf", ground });
}

test("names become flags, true a bare one, lists several", () => {
  expect(flagsOf({ socketDir: "/x", threads: 2, open: true, shut: false, none: undefined, peer: ["a", "b"] })).toEqual([
    "--socket-dir",
    "/x",
    "--threads",
    "2",
    "--open",
    "--peer",
    "a",
    "--peer",
    "b",
  ]);
});

test("a prefill instance gets its ports, deadlines, files and further arguments", () => {
  const { argv, env, startMs, stopMs, readyFile } = spec("prefill-1");
  expect(argv.join(" ")).toBe(
    "/node /main.js engine --name prefill-1 --role prefill --model /m.gguf --served-name smollm2-135m --listen 127.0.0.1:9001 --bootstrap 127.0.0.1:0 " +
      "--socket-dir /state/run --secret-file /state/secret --ready-file /state/run/prefill-1.ready --threads 1 --pool 512MiB " +
      "--deadline-bootstrap 300s --deadline-waiting 300s --deadline-inflight 2s --deadline-connect 250ms " +
      "--scattered-pages --note a b",
  );
  expect({ env, startMs, stopMs, readyFile }).toEqual({
    env: { A: "1", B: "2" },
    startMs: 300_000,
    stopMs: 10_000,
    readyFile: "/state/run/prefill-1.ready",
  });
});

test("a model that is a file of its own keeps the file's name", () => {
  const [one] = instances(config);
  if (one === undefined) throw new Error("no instance");
  const { argv } = engineSpec(one, { config: { ...config, model: "/m.gguf" }, model: "/m.gguf", ground });
  expect(argv).not.toContain("--served-name");
});

test("decode listens for no bootstrap, and has fault points only where they are allowed", () => {
  expect(spec("decode").argv).not.toContain("--bootstrap");
  expect(spec("decode").argv).toContain("--allow-faults");
  expect(spec("prefill-0").argv).not.toContain("--allow-faults");
});

test("the router starts without engines: it gets them later, and again whenever they change", () => {
  const { argv } = routerSpec({ config, ground });
  const words = argv.join(" ");
  expect(words).not.toContain("--prefill");
  expect(words).toContain("router --name router --listen 127.0.0.1:8000 --replay unsent");
  expect(words).toContain("--deadline-first-token 900s --deadline-token-gap 120s");
});

test("a ready file is read once it is there", () => {
  const folder = mkdtempSync(join(tmpdir(), "pdctl-ready-"));
  try {
    const file = join(folder, "a.ready");
    expect(readyOf(file)).toBeUndefined();
    writeFileSync(file, '{"pid":5,"url":"http://127.0.0.1:1","bootstrapPort":9}');
    expect(readyOf(file)).toEqual({ pid: 5, url: "http://127.0.0.1:1", bootstrapPort: 9 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
