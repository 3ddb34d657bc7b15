import { PdctlError } from "../../contract/errors.ts";
import { fleetViewSchema, stopWishSchema } from "../../contract/fleet.ts";
import { healthViewSchema } from "../../contract/health.ts";
import { restartWishSchema, wishAnswerSchema } from "../../contract/wishes.ts";
import type { ApiParts } from "./parts.ts";
import type { RouteTable } from "./route.ts";
import { carriedOut } from "./wish-reply.ts";

/** The fleet as a whole. */
export function addFleetRoutes(routes: RouteTable, { fleet, health, wish }: ApiParts): void {
  routes.add({ method: "GET", url: "/v1/fleet", summary: "The fleet as it is", answer: fleetViewSchema }, () =>
    fleet(),
  );

  routes.add(
    { method: "GET", url: "/v1/health", summary: "One evaluation, for monitoring", answer: healthViewSchema },
    () => health(),
  );

  routes.add(
    {
      method: "POST",
      url: "/v1/fleet/stop",
      summary: "Drains and ends the fleet",
      body: stopWishSchema,
      answer: wishAnswerSchema,
      status: 202,
    },
    async ({ body }) => await carriedOut(wish, { kind: "stop", ...body }),
  );

  routes.add(
    {
      method: "POST",
      url: "/v1/fleet/restart",
      summary: "Restarts engines together, under a new epoch",
      body: restartWishSchema,
      answer: wishAnswerSchema,
      status: 202,
    },
    async ({ body: { engines, all, why, force } }) => {
      if (!all && engines.length === 0) {
        throw new PdctlError("usage", "The restart names no engines.", '{"all": true} restarts the whole fleet');
      }
      const names = fleet().engines.map((one) => one.name);
      const unknown = all ? undefined : engines.find((name) => !names.includes(name));
      if (unknown !== undefined) {
        throw new PdctlError("engine-unknown", `The fleet has no engine "${unknown}".`, `it has ${names.join(", ")}`);
      }
      return await carriedOut(wish, {
        kind: "co-restart",
        engines,
        all,
        force,
        ...(why === undefined ? {} : { why }),
      });
    },
  );
}
