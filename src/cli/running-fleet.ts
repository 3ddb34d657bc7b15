import { join } from "node:path";
import type { DaemonClient } from "../client/daemon-client.ts";
import { readPage } from "../contract/error-page.ts";
import { PdctlError } from "../contract/errors.ts";
import type { FleetView } from "../contract/fleet.ts";
import { systemClock } from "../lib/clock.ts";
import { lastLines } from "../lib/file-tail.ts";
import type { Places } from "../lib/places.ts";
import { until } from "../lib/wait.ts";
import { tellSteps } from "./tell-steps.ts";

const lookEveryMs = 150;
// A watchdog has replaced a daemon by then.
const awayLimitMs = 45_000;

/** The fleet behind the socket, whatever its state; undefined where none runs. */
export async function runningFleet(client: DaemonClient, signal: AbortSignal): Promise<FleetView | undefined> {
  try {
    return await client.fleet(signal);
  } catch (error) {
    if (error instanceof PdctlError && error.code === "fleet-not-running") return undefined;
    throw error;
  }
}

export type Patience = {
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** Of a fleet that is started here: the first process that fails ends the wait, with the last words of its log. */
  readonly places?: Pick<Places, "logs">;
  /** Throws where waiting makes no sense any more. */
  readonly stillHopeful: () => void;
};

/** Waits until a fleet that is starting is up, and tells what happens on the way. */
export async function awaitUp(client: DaemonClient, patience: Patience): Promise<FleetView> {
  const { limitMs, signal, say, places, stillHopeful } = patience;
  const telling = new AbortController();
  const beganMs = systemClock.nowMs();
  let told: Promise<void> | undefined;
  let seenMs: number | undefined;
  const look = async (): Promise<FleetView | undefined> => {
    stillHopeful();
    const view = await runningFleet(client, signal);
    if (view === undefined) {
      if (seenMs !== undefined && systemClock.nowMs() - seenMs > awayLimitMs) throw gone();
      return undefined;
    }
    seenMs = systemClock.nowMs();
    told ??= tellSteps(client, { sinceMs: beganMs, say, signal: AbortSignal.any([signal, telling.signal]) });
    if (view.state === "failed" || (places !== undefined && hasFailed(view))) throw failureOf(view, places);
    if (view.state === "stopping") urlOf(view);
    // A degraded fleet without a URL may serve again: what has ended is started again.
    return view.url !== undefined && (view.state === "ready" || view.state === "degraded") ? view : undefined;
  };
  try {
    const up = await until(look, { everyMs: lookEveryMs, limitMs, signal });
    if (up !== undefined) return up;
  } finally {
    telling.abort();
    await told;
  }
  throw new PdctlError(
    "timed-out",
    `The fleet was not up within ${limitMs / 1_000} s.`,
    "pdctl logs shows each process",
  );
}

/** The URL to send requests to; throws where the fleet does not serve. */
export function urlOf({ url, state, fleet, engines, router }: FleetView): string {
  if (url !== undefined && (state === "ready" || state === "degraded")) return url;
  const dead = [router, ...engines].filter((one) => one.state === "failed");
  const why = dead
    .map(({ name, failure }) => ` ${name} failed${failure === undefined ? "" : `: ${failure}`}.`)
    .join("");
  throw new PdctlError(
    "fleet-unready",
    `Fleet ${fleet} is ${state} and takes no requests.${why}`,
    state === "stopping" ? "wait until it has ended, then start it again" : "pdctl down, then start it again",
  );
}

function hasFailed({ engines, router }: FleetView): boolean {
  return [...engines, router].some(({ state }) => state === "failed");
}

function gone(): PdctlError {
  const words = "The daemon has ended while the fleet was starting.";
  return new PdctlError("fleet-not-running", words, "pdctl logs daemon, then pdctl up");
}

// The process's own page where it left one: it names what to change.
function failureOf(view: FleetView, places: Pick<Places, "logs"> | undefined): PdctlError {
  const dead = [...view.engines, view.router].find((one) => one.state === "failed");
  const page = places === undefined || dead === undefined ? undefined : readPage(lastWords(logOf(places, dead.name)));
  if (page !== undefined) return page;
  const why = dead?.failure === undefined ? view.step : `${dead.name} failed: ${dead.failure}`;
  const words = why ?? `Fleet ${view.fleet} has failed.`;
  return new PdctlError("engine-start-failed", words, `pdctl logs ${dead?.name ?? "daemon"} --fleet ${view.fleet}`);
}

function logOf({ logs }: Pick<Places, "logs">, name: string): string {
  return join(logs, `${name}.log`);
}

function lastWords(log: string): string[] {
  try {
    return lastLines(log, { linesMax: 40, bytesMax: 16_384 });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
