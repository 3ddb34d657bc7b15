import type { FastifyInstance } from "fastify";
import { errorAnswer } from "../../contract/failure-status.ts";
import { bodyBytesMax } from "../../contract/openai.ts";
import type { HttpFront } from "../../lib/http-front.ts";
import { textApp } from "../../lib/text-app.ts";
import type { EngineParts } from "../engine-parts.ts";
import { adminRoutes } from "./admin-routes.ts";
import { healthRoute } from "./health-route.ts";
import { metricsRoute } from "./metrics-route.ts";
import { openaiRoutes } from "./openai-routes.ts";

/** All routes of one native engine; takes over what `front` hears. */
export async function serveEngine(front: HttpFront, parts: EngineParts): Promise<FastifyInstance> {
  const app = textApp({ log: parts.log, bodyBytesMax, front, errorAnswer });
  metricsRoute(app, parts);
  healthRoute(app, parts);
  openaiRoutes(app, parts);
  await app.register(async (admin) => adminRoutes(admin, parts), { prefix: "/admin/v1" });
  await app.ready();
  return app;
}
