import { join } from "node:path";
import { addressText } from "../contract/address.ts";
import { type Reachable, routerSpec } from "../drivers/embedded-router/launch.ts";
import type { LaunchGround, ProcessSpec } from "../drivers/process-spec.ts";
import { fileLog } from "../lib/log.ts";
import { serveApi } from "./api/server.ts";
import { bringUp, type FleetParts, type Launch, launches } from "./bring-up.ts";
import type { FleetOptions, PlanOptions } from "./fleet-options.ts";
import { FleetState } from "./fleet-state.ts";
import { gatherRequests } from "./gather-requests.ts";
import { type Ground, takeGround } from "./ground.ts";
import { failedWords } from "./process-words.ts";
import { startLimit } from "./start-limit.ts";
import { StopWishes } from "./stop-wishes.ts";
import { ProcessTable } from "./supervisor/process-table.ts";
import { Supervisor } from "./supervisor/supervisor.ts";
import { windDown } from "./wind-down.ts";

// As many as native/engine/flight_recorder.h keeps.
const keptWords = "records are kept of live requests, and of the last 1,024 ended ones of each engine while it runs";

/** Runs a fleet from its start to its end: the composition root. Returns once nothing of it is left. */
export async function runFleet(options: FleetOptions): Promise<void> {
  const ground = await takeGround(options.places);
  try {
    await runOn(ground, options);
  } finally {
    ground.leave();
  }
}

/** What would be started, in order. Ports that the system picks stand as 0. */
export function planFleet(options: PlanOptions): readonly ProcessSpec[] {
  // Only what the configuration adds to the environment: the rest is the caller's own, and may hold secrets.
  const ground = launchGround({ ...options, env: {} });
  const { prefill, decode } = launches(options, ground);
  const reach = ({ one, spec }: Launch): Reachable => {
    const url = `http://${addressText({ host: one.engine.host, port: one.port })}`;
    return { name: spec.name, host: one.engine.host, ready: { pid: 0, url, bootstrapPort: one.bootstrapPort } };
  };
  const router = routerSpec(
    { prefill: prefill.map(reach), decode: decode.map(reach) },
    { config: options.config, ground },
  );
  return [...prefill, ...decode].map(({ spec }) => spec).concat(router);
}

async function runOn(ground: Ground, options: FleetOptions): Promise<void> {
  const { places, config, clock } = options;
  const log = fileLog(join(places.logs, "daemon.log"));
  const table = new ProcessTable(clock.nowMs, (entry) => {
    const { name } = entry.spec;
    const { cause } = entry;
    log.info({ process: name, state: entry.state, ...(cause === undefined ? {} : { cause }) }, "state");
    if (entry.state !== "failed") return;
    const served = state.view().state === "degraded";
    for (const line of failedWords(entry, { served, logFile: join(places.logs, `${name}.log`) })) options.say(line);
  });
  const supervisor = new Supervisor({ table, run: places.run, logs: places.logs, log });
  const daemon = { pid: process.pid, since: new Date(clock.wallMs()).toISOString() };
  const identity = { fleet: config.fleet, epoch: 1, model: config.model, daemon };
  const state = new FleetState(identity, table);
  const parts: FleetParts = { options, table, supervisor, state, ground: launchGround(options) };
  const wishes = new StopWishes(options);

  const api = await serveApi(places.socket, {
    fleet: () => state.view(),
    requests: async () => await gatherRequests({ table, secret: ground.secret, clock }),
    wishStop: (wish) => wishes.add(wish),
    keptWords,
    onMistake: (error) => log.error({ error }, "a route failed"),
  });
  try {
    await serve(parts, wishes, ground.secret);
  } finally {
    supervisor.close();
    await api.close();
    log.flush();
  }
}

// Up, until somebody wishes the end; then down, also where the way up failed.
async function serve(parts: FleetParts, wishes: StopWishes, secret: string): Promise<void> {
  const { options, state } = parts;
  try {
    options.onUp(await startLimit(options.timeoutMs, wishes.stop, async (signal) => await bringUp(parts, signal)));
    await wishes.stopped();
  } catch (error) {
    if (!wishes.stop.aborted) state.enter("failed");
    await windDown(parts, { drainMs: 0, secret, now: wishes.now });
    if (wishes.stop.aborted) return;
    throw error;
  }
  await windDown(parts, { drainMs: wishes.drainMs, secret, now: wishes.now });
}

function launchGround({ self, env, cwd, places }: Omit<PlanOptions, "config" | "modelOf">): LaunchGround {
  const inherited = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { self, env: Object.fromEntries(inherited), cwd, run: places.run, secretFile: places.secret };
}
