import { DaemonClient } from "../client/daemon-client.ts";
import { PdctlError } from "../contract/errors.ts";
import type { FleetView } from "../contract/fleet.ts";
import type { Places } from "../lib/places.ts";
import { until } from "../lib/wait.ts";

const lookEveryMs = 150;

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
  readonly onStep: (step: string) => void;
  /** Throws where waiting makes no sense any more. */
  readonly stillHopeful: () => void;
};

/** Waits until a fleet that is starting is up. */
export async function awaitUp(
  client: DaemonClient,
  { limitMs, signal, onStep, stillHopeful }: Patience,
): Promise<FleetView> {
  let last = "";
  const up = await until(
    async () => {
      stillHopeful();
      const view = await runningFleet(client, signal);
      if (view?.step !== undefined && view.step !== last) onStep(view.step);
      last = view?.step ?? last;
      return view?.state === "ready" || view?.state === "degraded" ? view : undefined;
    },
    { everyMs: lookEveryMs, limitMs, signal },
  );
  if (up !== undefined) return up;
  throw new PdctlError(
    "timed-out",
    `The fleet was not up within ${limitMs / 1_000} s.`,
    "pdctl down, then pdctl up --foreground shows each step",
  );
}

/** The URL to send requests to; throws where the fleet does not serve. */
export function urlOf({ url, state, fleet, engines, router }: FleetView): string {
  if (url !== undefined && (state === "ready" || state === "degraded")) return url;
  const dead = [router, ...engines].filter((one) => one.state === "failed");
  const why = dead.map(({ name, cause }) => ` ${name} failed${cause === undefined ? "" : `: ${cause}`}.`).join("");
  throw new PdctlError(
    "fleet-unready",
    `Fleet ${fleet} is ${state} and takes no requests.${why}`,
    // Nothing restarts a process: a degraded fleet would be waited for without end.
    state === "degraded" ? "pdctl down, then start it again" : "wait until it has ended, then start it again",
  );
}

export type Shown = {
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly onUp: (url: string) => void;
};

/** Shows the fleet that runs already, once it is up; false where none runs. */
export async function shownIfUp(
  { places }: { readonly places: Places },
  { limitMs, signal, say, onUp }: Shown,
): Promise<boolean> {
  const client = new DaemonClient(places.socket);
  const found = await runningFleet(client, signal);
  if (found === undefined) return false;
  say(`fleet      ${found.fleet} is ${found.state} already, under process ${found.daemon.pid}`);
  if (found.state === "stopping" || found.state === "failed") urlOf(found);
  onUp(urlOf(await awaitUp(client, { limitMs, signal, onStep: say, stillHopeful: () => undefined })));
  return true;
}
