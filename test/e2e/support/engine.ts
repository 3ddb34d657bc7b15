import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Ready, readySchema } from "../../../src/contract/launch.ts";
import { EngineAdmin } from "./engine-admin.ts";
import { environment, pdctl } from "./environment.ts";
import { modelPath } from "./model.ts";
import { Running } from "./running.ts";
import { until } from "./until.ts";

export type EngineFlags = {
  readonly role: "prefill" | "decode" | "both";
  readonly listen?: string;
  readonly more?: readonly string[];
};

/** One `pdctl engine` by itself, as the daemon would start it. */
export class Engine {
  readonly process: Running;
  readonly ready: Ready;
  readonly admin: EngineAdmin;

  private constructor(process: Running, ready: Ready, secret: string) {
    this.process = process;
    this.ready = ready;
    this.admin = new EngineAdmin(ready.url, secret);
  }

  static async start(
    home: string,
    name: string,
    { role, listen = "127.0.0.1:0", more = [] }: EngineFlags,
  ): Promise<Engine> {
    const readyFile = join(home, `${name}.json`);
    const args = ["engine", "--name", name, "--role", role, "--model", await modelPath(home), "--listen", listen];
    args.push("--socket-dir", home, "--secret-file", secretFile(home), "--ready-file", readyFile, "--threads", "1");
    rmSync(readyFile, { force: true }); // of one that ran before
    const process = new Running(pdctl, [...args, ...more], { env: environment(home) });
    return new Engine(process, await readyOf(process, readyFile), secretIn(home));
  }

  async end(): Promise<void> {
    await this.process.end();
  }
}

/** The same for `pdctl router` over one pair. */
export async function startRouter(
  home: string,
  prefill: Engine,
  decode: Engine,
): Promise<{ process: Running; url: string }> {
  const readyFile = join(home, "router.json");
  const args = [
    "router",
    "--name",
    "router",
    "--listen",
    "127.0.0.1:0",
    "--secret-file",
    secretFile(home),
    "--ready-file",
    readyFile,
  ];
  args.push(
    "--prefill",
    `prefill=${prefill.ready.url},127.0.0.1:${prefill.ready.bootstrapPort}`,
    "--decode",
    `decode=${decode.ready.url}`,
  );
  const process = new Running(pdctl, args, { env: environment(home) });
  return { process, url: (await readyOf(process, readyFile)).url };
}

async function readyOf(process: Running, file: string): Promise<Ready> {
  return await until(`${file}`, 90_000, () => {
    if (process.over) throw new Error(`ended before it was ready\n${process.said()}`);
    return existsSync(file) ? readySchema.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
  }).catch(async (error: unknown) => {
    await process.end();
    throw error;
  });
}

function secretFile(home: string): string {
  const file = join(home, "secret");
  if (!existsSync(file)) writeFileSync(file, "5ec2e75ec2e75ec2e75ec2e75ec2e75e", { mode: 0o600 });
  return file;
}

function secretIn(home: string): string {
  return readFileSync(secretFile(home), "utf8").trim();
}
