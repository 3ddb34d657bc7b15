import { z } from "zod";
import { fleetViewSchema } from "../../contract/fleet.ts";
import type { ApiParts } from "./parts.ts";
import type { RouteTable } from "./route.ts";

// As long as the watchdog waits before it replaces a daemon.
const silentMaxS = 15;

const liveSchema = z.object({ live: z.boolean() });
const stateSchema = fleetViewSchema.pick({ state: true });

/** What orchestrators ask: by the status, 200 or 503. */
export function addProbeRoutes(routes: RouteTable, { fleet }: ApiParts): void {
  routes.add(
    { method: "GET", url: "/livez", summary: "200 while the daemon ticks", answer: liveSchema },
    (_ask, reply) => {
      const live = (fleet().daemon.tickAgeS ?? 0) < silentMaxS;
      reply.code(live ? 200 : 503);
      return { live };
    },
  );

  routes.add(
    { method: "GET", url: "/readyz", summary: "200 while the fleet is ready", answer: stateSchema },
    (_ask, reply) => {
      const { state } = fleet();
      reply.code(state === "ready" ? 200 : 503);
      return { state };
    },
  );

  routes.add(
    { method: "GET", url: "/startupz", summary: "200 once the fleet has started", answer: stateSchema },
    (_ask, reply) => {
      const { state } = fleet();
      reply.code(state === "starting" || state === "failed" ? 503 : 200);
      return { state };
    },
  );
}
