import { routerState } from "../drivers/embedded-router/probe.ts";
import { asked } from "../lib/asked.ts";
import { limited, until } from "../lib/wait.ts";
import type { FleetParts } from "./bring-up.ts";
import { stoppedWords } from "./process-words.ts";
import type { ProcessEntry } from "./supervisor/process-table.ts";

const lookEveryMs = 100;
const probeLimitMs = 2_000;

export type WindDown = {
  readonly drainMs: number;
  readonly secret: string;
  /** Cuts every wait short. */
  readonly now: AbortSignal;
};

/** Lets open requests end, then stops everything in reverse order. Throws where someone is left. */
export async function windDown(parts: FleetParts, { drainMs, secret, now }: WindDown): Promise<void> {
  const { table, supervisor, state, options } = parts;
  state.enter("stopping");
  const entries = table.all().toReversed();
  const router = entries.find(({ spec }) => spec.role === "router");
  if (router?.state === "ready") await drain(parts, router, { drainMs, secret, now });

  const failures: unknown[] = [];
  for (const { spec } of entries) {
    const before = table.get(spec.name);
    state.step(`${spec.name}: stopping`);
    // One that will not end does not keep the others from ending.
    await supervisor.stop(spec, now).catch((error: unknown) => failures.push(error));
    for (const line of stoppedWords(before, table.get(spec.name))) options.say(line);
  }
  if (failures.length > 0) throw failures[0];
}

// The router goes on serving what is open; when all of it is answered, or the time is over, the stop goes on.
async function drain(
  { table, state, options }: FleetParts,
  { spec, ready }: ProcessEntry,
  { drainMs, secret, now }: WindDown,
): Promise<void> {
  if (ready === undefined || drainMs <= 0 || now.aborted) return;
  const door = { url: ready.url, secret };
  const open = async (): Promise<number> => {
    const answer = await asked(async () => (await routerState(door, limited(probeLimitMs, now))).open);
    // A router that does not answer has nobody to wait for.
    return answer.kind === "answered" ? answer.value : 0;
  };
  const first = await open();
  if (first === 0) return;
  table.enter(spec.name, "draining");
  state.step(`${first} open requests may end`);
  options.say(
    `${spec.name.padEnd(10)} waiting for ${first} open ${first === 1 ? "request" : "requests"}, at most ${drainMs / 1_000} s`,
  );
  const settle = until(async () => ((await open()) === 0 ? true : undefined), {
    everyMs: lookEveryMs,
    limitMs: drainMs,
    signal: now,
  });
  await settle.catch((error: unknown) => {
    if (!now.aborted) throw error;
  });
}
