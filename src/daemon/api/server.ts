import type { RequestListener } from "node:http";
import { createServer } from "node:http";
import { type FastifyReply, fastify } from "fastify";
import { BugError, PdctlError } from "../../contract/errors.ts";
import { addEngineRoutes } from "./engine-routes.ts";
import { addFleetRoutes } from "./fleet-routes.ts";
import { addIncidentRoutes } from "./incident-routes.ts";
import { openApiOf } from "./openapi.ts";
import type { ApiParts } from "./parts.ts";
import { addProbeRoutes } from "./probe-routes.ts";
import { problemOf } from "./problem-reply.ts";
import { addRequestRoutes } from "./request-routes.ts";
import { RouteTable } from "./route.ts";
import { Socket } from "./socket.ts";
import { addStreamRoutes } from "./stream-routes.ts";

export type Api = {
  /** Makes the socket again where somebody took it away; true where that was needed. */
  readonly keepSocket: () => Promise<boolean>;
  readonly close: () => Promise<void>;
};

/** Serves the daemon's API on a Unix socket that only its owner may open. */
export async function serveApi(
  path: string,
  parts: ApiParts & { readonly onMistake: (error: unknown) => void },
): Promise<Api> {
  let handle: RequestListener = () => {
    throw new BugError("the API was asked before it was made");
  };
  const server = fastify({
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: 512 },
    // The sockets are Socket's: one that is taken away can be made again.
    serverFactory: (handler) => {
      handle = handler;
      return createServer(handler);
    },
  });
  // The routes check bodies by the schemas of the contract themselves; what is sent was made by them.
  server.setValidatorCompiler(() => (value) => ({ value }));
  server.setSerializerCompiler(() => JSON.stringify);
  addAllRoutes(new RouteTable(server), parts);
  server.setNotFoundHandler(async ({ method, url }, reply) => {
    await answer(
      reply,
      new PdctlError("route-unknown", `There is no route ${method} ${url}.`, "GET /openapi.json lists them"),
    );
  });
  server.setErrorHandler(async (error, _request, reply) => {
    if (problemOf(error).code === "bug") parts.onMistake(error);
    await answer(reply, error);
  });
  await server.ready();
  const socket = new Socket(path, handle);
  await socket.listen();
  return {
    keepSocket: async () => await socket.keep(),
    close: async () => {
      await server.close();
      await socket.close();
    },
  };
}

function addAllRoutes(routes: RouteTable, parts: ApiParts): void {
  addFleetRoutes(routes, parts);
  addRequestRoutes(routes, parts);
  addEngineRoutes(routes, parts);
  addIncidentRoutes(routes, parts);
  addStreamRoutes(routes, parts);
  addProbeRoutes(routes, parts);
  routes.server.get("/openapi.json", () => openApiOf(routes.operations));
}

async function answer(reply: FastifyReply, error: unknown): Promise<void> {
  const problem = problemOf(error);
  await reply.code(problem.status).type("application/problem+json").send(problem);
}
