import type { FastifyInstance } from "fastify";
import { failBodySchema } from "../../contract/control.ts";
import { headerNames } from "../../contract/openai.ts";
import type { RouterRequest, RouterState } from "../../contract/router-http.ts";
import { jsonBody } from "../../lib/json-body.ts";
import { Refusal } from "../../lib/refusal.ts";
import type { RouterParts } from "../router-parts.ts";
import { tableRoutes } from "./table-routes.ts";

type ById = { Params: { id: string } };
type ListQuery = { Querystring: { live?: string } };

/** What the fleet's own processes ask for, with the fleet's secret. */
export function adminRoutes(app: FastifyInstance, parts: RouterParts): void {
  const { records, edges, sender } = parts;
  app.addHook("onRequest", async (request) => {
    if (parts.trusts(request.headers[headerNames.secret])) return;
    throw new Refusal("forbidden", `The header ${headerNames.secret} is missing or wrong.`);
  });
  app.get("/state", async (): Promise<RouterState> => {
    const { epoch, hold } = sender;
    const held = hold === undefined ? {} : { hold };
    return { epoch, ...held, open: records.open, edges: edges.counts(), totals: records.totals };
  });
  tableRoutes(app, parts);
  app.get<ListQuery>("/requests", async ({ query }) => ({
    requests: records.all().filter(({ outcome }) => query.live !== "true" || outcome === "open"),
  }));
  app.get<ById>("/requests/:id", async (request) => recordOf(parts, request.params.id));
  app.post<ById>("/requests/:id/fail", async (request) => {
    const body = failBodySchema.safeParse(jsonBody(request.body));
    if (!body.success)
      throw new Refusal("invalid", 'The body must be {"why": TEXT}, with 1 to 1000 characters.', "why");
    const { id } = recordOf(parts, request.params.id);
    return { id, failed: records.fail(id, { code: "aborted", words: body.data.why }) };
  });
}

function recordOf({ records, name }: RouterParts, id: string): RouterRequest {
  const record = records.find(id);
  if (record !== undefined) return record;
  throw new Refusal("not-found", `Router ${name} keeps no record of the request ${JSON.stringify(id)}.`);
}
