import { actionViewSchema } from "../../contract/action.ts";
import { PdctlError } from "../../contract/errors.ts";
import { incidentListSchema, incidentSchema } from "../../contract/incident.ts";
import type { ApiParts } from "./parts.ts";
import type { RouteTable } from "./route.ts";

/** What went wrong, and what was done. */
export function addIncidentRoutes(routes: RouteTable, { incidents, action }: ApiParts): void {
  routes.add(
    { method: "GET", url: "/v1/incidents", summary: "Open and ended incidents", answer: incidentListSchema },
    () => ({
      incidents: incidents().map(({ verdicts: _verdicts, actions: _actions, healSeconds: _heal, ...line }) => line),
    }),
  );

  routes.add(
    { method: "GET", url: "/v1/incidents/:id", summary: "What was seen, concluded and done", answer: incidentSchema },
    ({ id }) => {
      const found = incidents().find((one) => one.id === id);
      if (found !== undefined) return found;
      throw new PdctlError(
        "incident-unknown",
        `No incident is known as "${id}".`,
        "pdctl status lists those that are open",
      );
    },
  );

  routes.add(
    { method: "GET", url: "/v1/actions/:id", summary: "An action, and how it ended", answer: actionViewSchema },
    ({ id }) => {
      const found = action(id);
      if (found !== undefined) return found;
      throw new PdctlError("action-unknown", `No action is known as "${id}".`, "pdctl events shows the latest ones");
    },
  );
}
