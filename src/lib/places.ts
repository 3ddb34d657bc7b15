import { join } from "node:path";

/** Where a fleet keeps its socket and its state. */
export type Places = {
  readonly fleet: string;
  readonly socket: string;
  readonly state: string;
  readonly run: string;
  readonly logs: string;
  readonly secret: string;
  /** What was seen, decided and done: SQLite. */
  readonly journal: string;
  /** The wish: up, down or maintenance. */
  readonly intent: string;
  /** Steps of operations, on disk before they are taken. */
  readonly intents: string;
  /** Who holds it may signal, spawn and abort. */
  readonly lock: string;
  /** What the fleet is: the checked configuration and how it is run. */
  readonly saved: string;
  /** When the daemon finished its last tick, and the watchdog its last round. */
  readonly heartbeat: string;
  readonly watchdogHeartbeat: string;
};

/** What decides the places: the environment, and the home from the user database (cron has no HOME). */
export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly isRoot: boolean;
};

// sun_path has 108 bytes with its closing zero.
export const socketPathBytesMax = 107;

/** Computes the places; makes nothing. `socket` is what the user asked for, if anything. */
export function placesOf(fleet: string, { env, home, isRoot }: Surroundings, socket?: string): Places {
  const root = env["PDCTL_HOME"];
  const local = join(home, ".local", "state", "pdctl", fleet);
  const state = root ? join(root, fleet) : isRoot ? join("/var/lib/pdctl", fleet) : local;
  const usual = root
    ? join(root, `${fleet}.sock`)
    : isRoot
      ? join("/run/pdctl", `${fleet}.sock`)
      : join(local, "daemon.sock");
  return {
    fleet,
    socket: socket || env["PDCTL_SOCKET"] || usual,
    state,
    run: join(state, "run"),
    logs: join(state, "logs"),
    secret: join(state, "secret"),
    journal: join(state, "journal.db"),
    intent: join(state, "intent.json"),
    intents: join(state, "intents.log"),
    lock: join(state, "actor.lock"),
    saved: join(state, "fleet.json"),
    heartbeat: join(state, "run", "daemon.heartbeat"),
    watchdogHeartbeat: join(state, "run", "watchdog.heartbeat"),
  };
}

/** Where to look for the state folders of all fleets. */
export function fleetsFolder({ env, home, isRoot }: Surroundings): string {
  return env["PDCTL_HOME"] || (isRoot ? "/var/lib/pdctl" : join(home, ".local", "state", "pdctl"));
}

/** Where everything lies that can be fetched or made again. $HOME counts first, as for every program's cache. */
export function cacheFolder({ env, home }: Pick<Surroundings, "env" | "home">): string {
  return join(env["XDG_CACHE_HOME"] || join(env["HOME"] || home, ".cache"), "pdctl");
}

/** Where fetched models lie. */
export function modelsFolder(around: Surroundings): string {
  return join(cacheFolder(around), "models");
}

export function socketPathTooLong(path: string): boolean {
  return Buffer.byteLength(path) > socketPathBytesMax;
}
