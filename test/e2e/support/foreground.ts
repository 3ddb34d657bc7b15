import { existsSync } from "node:fs";
import { pdctl } from "./environment.ts";
import { Fleet, type FleetOptions } from "./fleet.ts";
import { Running } from "./running.ts";
import { until } from "./until.ts";

/** The same fleet under `pdctl up --foreground`, as a person at a terminal has it. */
export async function startForeground(
  options: FleetOptions = {},
): Promise<{ readonly fleet: Fleet; readonly up: Running }> {
  const fleet = await Fleet.prepare(options);
  const up = new Running(pdctl, ["up", "--foreground", "-f", fleet.file], { env: fleet.env });
  try {
    fleet.url = await until("the fleet to be ready", 120_000, async () => {
      if (up.over) throw new Error("'pdctl up --foreground' ended before the fleet was ready");
      if (!existsSync(fleet.socket)) return undefined;
      const view = await fleet.view().catch(() => undefined); // the socket is there before it answers
      return view?.state === "ready" ? view.url : undefined;
    });
    return { fleet, up };
  } catch (error) {
    const words = `${String(error)}\n${up.said()}\n${fleet.said()}`;
    await up.end();
    await fleet.end();
    throw new Error(words);
  }
}
