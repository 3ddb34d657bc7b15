import { addressText } from "../contract/address.ts";
import type { AdmitBody, EdgesBody, HoldBody } from "../contract/router-http.ts";
import { asked } from "../lib/asked.ts";
import { readLaunchFile } from "../lib/launch-file.ts";
import type { Places } from "../lib/places.ts";
import { askAdmin, type Door } from "./ask-admin.ts";
import { type Fleet, readyOf } from "./fleet.ts";

// A lease of the usual 10 s outlives two renewals that get lost.
const renewEveryMs = 3_000;

/** Keeps new requests waiting at the router while `work` runs, then lets them go; without a router it only works. */
export async function whileHeld(
  door: Door | undefined,
  hold: HoldBody,
  work: () => Promise<EdgesBody>,
  signal: AbortSignal,
): Promise<void> {
  const renew = async (): Promise<void> => {
    if (door !== undefined)
      await asked(async () => await askAdmin(door, "/hold", { method: "POST", body: hold, signal }));
  };
  await renew();
  const timer = setInterval(() => void renew(), renewEveryMs);
  try {
    const edges = await work();
    if (door === undefined) return;
    const admit: AdmitBody = { epoch: hold.epoch };
    await askAdmin(door, "/edges", { method: "PUT", body: edges, signal });
    await askAdmin(door, "/admit", { method: "POST", body: admit, signal });
  } finally {
    clearInterval(timer);
  }
}

/** The table of engines as they are now. The next daemon tells the router again, with what it keeps out. */
export function edgesNow({ engines }: Fleet, places: Places, epoch: number): EdgesBody {
  const lines = engines.flatMap(({ name, engine }): EdgesBody["engines"] => {
    const ready = readyOf(places, name);
    if (ready === undefined) return [];
    const { bootstrapPort } = ready;
    const host = engine.host;
    const bootstrap = bootstrapPort === undefined ? {} : { bootstrap: addressText({ host, port: bootstrapPort }) };
    const generation = readLaunchFile(`${places.run}/${name}.launch`)?.generation ?? 0;
    return [{ name, role: engine.role, url: ready.url, ...bootstrap, generation, admits: true }];
  });
  return { epoch, engines: lines };
}
