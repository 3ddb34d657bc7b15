import { existsSync } from "node:fs";
import { join } from "node:path";
import { PdctlError } from "../contract/errors.ts";
import type { Clock } from "../lib/clock.ts";
import { Heartbeat } from "../lib/heartbeat.ts";
import { fileLog } from "../lib/log.ts";
import type { Places } from "../lib/places.ts";
import { makePrivateFolder } from "../lib/private-files.ts";
import { pause } from "../lib/wait.ts";
import { identityOnRecord, isSame, recordSelf } from "./identity.ts";
import { Teller } from "./teller.ts";
import { Watchdog } from "./watchdog.ts";

export type WatchdogOptions = { readonly places: Places; readonly clock: Clock; readonly stop: AbortSignal };

/** Watches until it is asked to stop, until another watchdog is on record, or until nothing is wanted up. */
export async function runWatchdog({ places, clock, stop }: WatchdogOptions): Promise<void> {
  if (!existsSync(places.saved)) {
    const words = `No fleet ${places.fleet} has been started here: there is no ${places.saved}.`;
    throw new PdctlError("fleet-not-running", words, "pdctl up; the watchdog comes with it");
  }
  for (const folder of [places.state, places.run, places.logs]) makePrivateFolder(folder);
  const log = fileLog(join(places.logs, "watchdog.log"));
  const teller = new Teller(log, clock);
  const self = recordSelf(places);
  const heartbeat = new Heartbeat(places.watchdogHeartbeat);
  const watchdog = new Watchdog({ places, clock, teller, heartbeat, env: process.env, stop });
  const ended = (words: string): void => teller.tell({ subject: "watchdog", severity: "ok", words });
  teller.tell({ subject: "watchdog", severity: "ok", words: `process ${process.pid} watches` });
  try {
    for (;;) {
      if (!isSame(identityOnRecord(places, "watchdog"), self))
        return ended("another watchdog is on record: this one ends");
      const waitMs = await watchdog.round();
      if (waitMs === undefined) return ended("nothing is wanted up, and no daemon lives: it ends");
      await pause(waitMs, stop);
    }
  } catch (error) {
    if (!stop.aborted) throw error;
    ended("it was asked to end");
  } finally {
    heartbeat.close();
    log.flush();
  }
}
