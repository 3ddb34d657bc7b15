import { type Instance, instances } from "../contract/instances.ts";
import type { Ready } from "../contract/launch.ts";
import { type Reachable, routerSpec } from "../drivers/embedded-router/launch.ts";
import { engineSpec } from "../drivers/native/launch.ts";
import type { LaunchGround, ProcessSpec } from "../drivers/process-spec.ts";
import { sendCanary } from "./canary.ts";
import type { FleetOptions } from "./fleet-options.ts";
import type { FleetState } from "./fleet-state.ts";
import type { ProcessTable } from "./supervisor/process-table.ts";
import type { Supervisor } from "./supervisor/supervisor.ts";

export type FleetParts = {
  readonly options: FleetOptions;
  readonly ground: LaunchGround;
  readonly table: ProcessTable;
  readonly supervisor: Supervisor;
  readonly state: FleetState;
};

/** Starts prefill, then decode, then the router, and sends a request all the way. Returns the router's URL. */
export async function bringUp(parts: FleetParts, signal: AbortSignal): Promise<string> {
  const { options, table, state, ground } = parts;
  const { config } = options;
  const { prefill, decode } = launches(options, ground);
  for (const { spec } of [...prefill, ...decode]) table.add(spec);

  const router = routerSpec(
    { prefill: await startAll(parts, prefill, signal), decode: await startAll(parts, decode, signal) },
    { config, ground },
  );
  table.add(router);
  const { url } = await startOne(parts, router, signal);

  await told(parts, "canary", { doing: "router → prefill → transfer → decode", done: "came back" }, async () => {
    await sendCanary(url, signal);
  });
  state.enter("ready");
  return url;
}

/** How each engine is started, by role. */
export function launches(
  { config, modelOf }: Pick<FleetOptions, "config" | "modelOf">,
  ground: LaunchGround,
): Record<"prefill" | "decode", Launch[]> {
  const of = (role: string): Launch[] =>
    instances(config)
      .filter(({ engine }) => engine.role === role)
      .map((one) => ({ one, spec: engineSpec(one, { config, model: modelOf(one), ground }) }));
  return { prefill: of("prefill"), decode: of("decode") };
}

export type Launch = { readonly one: Instance; readonly spec: ProcessSpec };

// Engines of one role start side by side; every start is over before an error goes on.
async function startAll(parts: FleetParts, engines: readonly Launch[], signal: AbortSignal): Promise<Reachable[]> {
  const starts = await Promise.allSettled(
    engines.map(async ({ one, spec }) => ({
      name: spec.name,
      host: one.engine.host,
      ready: await startOne(parts, spec, signal),
    })),
  );
  return starts.map((start) => {
    if (start.status === "rejected") throw start.reason;
    return start.value;
  });
}

async function startOne(parts: FleetParts, spec: ProcessSpec, signal: AbortSignal): Promise<Ready> {
  const doing = spec.role === "router" ? "starting" : "loading the model";
  const words = { doing, done: ({ url, bootstrapPort }: Ready) => `ready at ${url}${bootstrapWords(bootstrapPort)}` };
  return await told(parts, spec.name, words, async () => await parts.supervisor.start(spec, signal));
}

function bootstrapWords(port: number | undefined): string {
  return port === undefined ? "" : `, bootstrap on port ${port}`;
}

type Words<T> = { readonly doing: string; readonly done: string | ((value: T) => string) };

// Says that something begins and how long it took.
async function told<T>(
  { options, state }: FleetParts,
  name: string,
  { doing, done }: Words<T>,
  act: () => Promise<T>,
): Promise<T> {
  const line = (words: string): string => `${name.padEnd(10)} ${words}`;
  state.step(`${name}: ${doing}`);
  options.say(line(doing));
  const beganMs = options.clock.nowMs();
  const value = await act();
  const seconds = ((options.clock.nowMs() - beganMs) / 1_000).toFixed(1);
  options.say(line(`${typeof done === "string" ? done : done(value)} (${seconds} s)`));
  return value;
}
