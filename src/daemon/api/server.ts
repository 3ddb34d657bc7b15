import { chmodSync } from "node:fs";
import { type FastifyReply, fastify } from "fastify";
import { PdctlError } from "../../contract/errors.ts";
import { problemOf } from "./problem-reply.ts";
import { type ApiParts, addRoutes } from "./routes.ts";

export type Api = { readonly close: () => Promise<void> };

/** Serves the daemon's API on a Unix socket that only its owner may open. */
export async function serveApi(
  socket: string,
  parts: ApiParts & { readonly onMistake: (error: unknown) => void },
): Promise<Api> {
  const server = fastify({ bodyLimit: 64 * 1024, forceCloseConnections: true, routerOptions: { maxParamLength: 512 } });
  addRoutes(server, parts);
  server.setNotFoundHandler(async ({ method, url }, reply) => {
    await answer(reply, new PdctlError("usage", `There is no route ${method} ${url}.`, "GET /v1/fleet"));
  });
  server.setErrorHandler(async (error, _request, reply) => {
    if (problemOf(error).code === "bug") parts.onMistake(error);
    await answer(reply, error);
  });
  await server.listen({ path: socket });
  // Its folder lets nobody else in; this holds also where the folder is the user's choice.
  chmodSync(socket, 0o600);
  return { close: async () => await server.close() };
}

async function answer(reply: FastifyReply, error: unknown): Promise<void> {
  const problem = problemOf(error);
  await reply.code(problem.status).type("application/problem+json").send(problem);
}
