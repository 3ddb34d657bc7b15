import { type EngineDetail, engineDetailSchema } from "../../contract/engine-detail.ts";
import { PdctlError } from "../../contract/errors.ts";
import { drainWishSchema, restartWishSchema, resumeWishSchema, wishAnswerSchema } from "../../contract/wishes.ts";
import type { ApiParts } from "./parts.ts";
import type { Route, RouteTable } from "./route.ts";
import { carriedOut } from "./wish-reply.ts";

/** One engine, or the router. */
export function addEngineRoutes(routes: RouteTable, { engine, fleet, wish }: ApiParts): void {
  const found = (name: string): EngineDetail => {
    const detail = engine(name);
    if (detail !== undefined) return detail;
    const names = [...fleet().engines, fleet().router].map((one) => one.name).join(", ");
    throw new PdctlError("engine-unknown", `The fleet has no engine "${name}".`, `it has ${names}`);
  };

  // The router stands before all of them: there is nobody to take its requests.
  const engineOnly = (name: string, verb: string): EngineDetail => {
    if (name !== fleet().router.name) return found(name);
    const names = fleet().engines.map((one) => one.name);
    throw new PdctlError("usage", `Only an engine can be ${verb}, not the router.`, `one of: ${names.join(", ")}`);
  };

  routes.add(
    { method: "GET", url: "/v1/engines/:id", summary: "One engine and what is said of it", answer: engineDetailSchema },
    ({ id }) => found(id),
  );

  routes.add(
    { ...wishRoute("restart", "Restarts it, or with `co` its closed set"), body: restartWishSchema },
    async ({ id, body: { co, all, engines, why, force } }) => {
      const { name } = found(id);
      const more = { force, ...(why === undefined ? {} : { why }) };
      if (co || all) return await carriedOut(wish, { kind: "co-restart", engines: [name, ...engines], all, ...more });
      return await carriedOut(wish, { kind: "restart", engine: name, ...more });
    },
  );

  routes.add(
    { ...wishRoute("drain", "Lets open requests end, and routes no new ones to it"), body: drainWishSchema },
    async ({ id, body }) => await carriedOut(wish, { kind: "drain", engine: engineOnly(id, "drained").name, ...body }),
  );

  routes.add(
    { ...wishRoute("resume", "Routes requests to it again"), body: resumeWishSchema },
    async ({ id }) => await carriedOut(wish, { kind: "resume", engine: engineOnly(id, "resumed").name }),
  );
}

function wishRoute(verb: string, summary: string): Omit<Route<undefined>, "body"> {
  return { method: "POST", url: `/v1/engines/:id/${verb}`, summary, answer: wishAnswerSchema, status: 202 };
}
