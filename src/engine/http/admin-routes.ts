import type { FastifyInstance } from "fastify";
import { failBodySchema, faultBodySchema } from "../../contract/control.ts";
import type { RequestRecord } from "../../contract/engine-http.ts";
import { headerNames } from "../../contract/openai.ts";
import { jsonBody } from "../../lib/json-body.ts";
import { Refusal } from "../../lib/refusal.ts";
import type { EngineParts } from "../engine-parts.ts";

type ById = { Params: { id: string } };

/** What the fleet's own processes ask for, with the fleet's secret. */
export function adminRoutes(app: FastifyInstance, parts: EngineParts): void {
  const { native } = parts;
  app.addHook("onRequest", async (request) => {
    if (parts.trusts(request.headers[headerNames.secret])) return;
    throw new Refusal("forbidden", `The header ${headerNames.secret} is missing or wrong.`);
  });
  app.get("/state", async () => native.state());
  app.get("/requests", async () => ({ requests: native.requests() }));
  app.get<ById>("/requests/:id", async (request) => recordOf(parts, request.params.id));
  app.post<ById>("/requests/:id/fail", async (request) => {
    const body = failBodySchema.safeParse(jsonBody(request.body));
    if (!body.success)
      throw new Refusal("invalid", 'The body must be {"why": TEXT}, with 1 to 1000 characters.', "why");
    return fail(parts, request.params.id, body.data.why);
  });
  app.post("/drain", async () => drained(parts, true));
  app.post("/resume", async () => drained(parts, false));
  faultRoutes(app, parts);
}

function recordOf({ native, name }: EngineParts, id: string): unknown {
  const record = native.request(id);
  if (record !== undefined) return record;
  throw new Refusal("not-found", `Engine ${name} keeps no record of the request ${JSON.stringify(id)}.`);
}

/** Idempotent. Digits that name no request are a room: it may fail before its leg has come. */
function fail(parts: EngineParts, id: string, why: string): unknown {
  const { native } = parts;
  const failure = { code: "aborted", words: why };
  const record = native.request(id) as RequestRecord | undefined;
  if (record === undefined && /^\d{1,19}$/.test(id) && BigInt(id) < 2n ** 63n) {
    native.abortRoom(BigInt(id), failure);
    return { room: id, failed: true };
  }
  if (record === undefined) return recordOf(parts, id);
  if (record.live) native.abort(id, failure);
  return { id, failed: record.live };
}

function drained({ native }: EngineParts, on: boolean): unknown {
  native.drain(on);
  return { draining: on };
}

function faultRoutes(app: FastifyInstance, { native, allowFaults, name }: EngineParts): void {
  const set = (fault: string, on: boolean): void => {
    if (!allowFaults) throw new Refusal("forbidden", `Engine ${name} was not started with --allow-faults.`);
    if (native.setFault(fault, on)) return;
    throw new Refusal(
      "invalid",
      `There is no fault point ${JSON.stringify(fault)}; there are ${Object.keys(native.faults()).join(", ")}.`,
      "name",
    );
  };
  app.get("/faults", async () => native.faults());
  app.post("/faults", async (request) => {
    const body = faultBodySchema.safeParse(jsonBody(request.body));
    if (!body.success) throw new Refusal("invalid", 'The body must be {"name": TEXT, "on": true or false}.');
    set(body.data.name, body.data.on);
    return native.faults();
  });
  app.delete<{ Querystring: { name?: string } }>("/faults", async (request) => {
    const chosen = request.query.name;
    for (const fault of chosen === undefined ? Object.keys(native.faults()) : [chosen]) set(fault, false);
    return native.faults();
  });
}
