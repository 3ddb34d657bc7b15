import { FixtureEngine } from "./fixture-engine.ts";
import { Daemon, decodeRow, prefillRow } from "./fleet-doors.ts";
import { type Changes, type RunningRouter, routerBefore } from "./running-router.ts";

export type ManagedRouter = RunningRouter & { readonly daemon: Daemon };

/** A router that was started without engines, and then told a pair by a daemon. */
export async function managedRouter(changes: Changes = {}): Promise<ManagedRouter> {
  const p = await new FixtureEngine().listen();
  const d = await new FixtureEngine().listen();
  const router = await routerBefore({ prefill: [], decode: [], both: [] }, changes);
  const daemon = new Daemon(router.url);
  await daemon.put([prefillRow("p0", p), decodeRow("d0", d)]);
  return { ...router, p, d, daemon };
}
