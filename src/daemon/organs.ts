import { Host } from "../lib/host-facts.ts";
import type { Log } from "../lib/log.ts";
import { bootId } from "../lib/processes.ts";
import { Exporter } from "./exporter/exporter.ts";
import type { Ground } from "./ground.ts";
import { Journal } from "./journal/journal.ts";
import type { DaemonOptions } from "./options.ts";
import { Poller } from "./poller/poller.ts";
import { Supervisor } from "./supervisor/supervisor.ts";

/** What sees, acts and remembers. */
export type Organs = {
  readonly poller: Poller;
  readonly supervisor: Supervisor;
  readonly journal: Journal;
  readonly host: Host;
  readonly exporter: Exporter;
  readonly close: () => Promise<void>;
};

export type OrganParts = {
  readonly options: DaemonOptions;
  readonly ground: Ground;
  readonly log: Log;
  /** An action has worked: what follows from it need not wait for the pace. */
  readonly onEnd: () => void;
};

/** Opens them in order; what runs already is adopted. */
export async function openOrgans({ options, ground, log, onEnd }: OrganParts): Promise<Organs> {
  const { places, saved, clock } = options;
  const { secret, lock } = ground;
  const { policy, metrics } = saved.config;
  const poller = new Poller({ clock, secret, pollMs: policy.poll });
  const supervisor = await Supervisor.open({
    ...{ places, saved, secret, clock, log, onEnd, env: process.env },
    look: async (name, signal) => await poller.probe(name, signal),
    holdsLock: lock.stillHeld,
  });
  const moment = { bootId: bootId(), nowMs: clock.nowMs(), wallMs: clock.wallMs() };
  const journal = new Journal({ path: places.journal, ...moment });
  const host = new Host({ clock });
  const exporter = await Exporter.start({ listen: metrics.listen, clock, host, pollMs: policy.poll });
  return {
    ...{ poller, supervisor, journal, host, exporter },
    // Nobody acts any more, then nobody sees, then nobody remembers.
    close: async () => {
      supervisor.close();
      poller.close();
      host.close();
      await exporter.close();
      journal.close();
    },
  };
}
