import type { FastifyInstance } from "fastify";
import { type Failed, failBodySchema, faultBodySchema } from "../../contract/control.ts";
import type { RequestRecord } from "../../contract/engine-http.ts";
import { headerNames } from "../../contract/openai.ts";
import { jsonBody } from "../../lib/json-body.ts";
import { Refusal } from "../../lib/refusal.ts";
import { untilDone } from "../../lib/until-done.ts";
import type { EngineParts } from "../engine-parts.ts";

type ById = { Params: { id: string } };
type ListQuery = { Querystring: { live?: string } };

/** What the fleet's own processes ask for, with the fleet's secret. */
export function adminRoutes(app: FastifyInstance, parts: EngineParts): void {
  const { native } = parts;
  app.addHook("onRequest", async (request) => {
    if (parts.trusts(request.headers[headerNames.secret])) return;
    throw new Refusal("forbidden", `The header ${headerNames.secret} is missing or wrong.`);
  });
  app.get("/state", async () => native.state());
  app.get<ListQuery>("/requests", async ({ query }) => {
    const requests = native.requests() as readonly RequestRecord[];
    return { requests: query.live === "true" ? requests.filter(({ live }) => live) : requests };
  });
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

function recordOf(parts: EngineParts, id: string): unknown {
  const record = parts.native.request(id);
  if (record === undefined) throw unknown(parts, id);
  return record;
}

function unknown({ name }: EngineParts, id: string): Refusal {
  return new Refusal("not-found", `Engine ${name} keeps no record of the request ${JSON.stringify(id)}.`);
}

/** Idempotent. Digits that name no request are a room: it may fail before its leg has come. */
async function fail(parts: EngineParts, id: string, why: string): Promise<Failed> {
  const { native } = parts;
  const failure = { code: "aborted", words: why };
  const find = (): RequestRecord | undefined => native.request(id) as RequestRecord | undefined;
  const before = find();
  if (before === undefined) {
    if (!isRoom(id)) throw unknown(parts, id);
    native.abortRoom(BigInt(id), failure);
    return { room: id, failed: true };
  }
  const { live, room, stage, pages } = before;
  if (live) native.abort(id, failure);
  // A loop that does not turn has released nothing yet, and the answer says so.
  await untilDone(() => find()?.live !== true, releaseMs);
  const after = find();
  return {
    ...{ id, ...(room === undefined ? {} : { room }) },
    failed: live,
    ended: after?.live !== true,
    ...{ stage, pages, pagesHeld: after?.pagesHeld ?? 0 },
  };
}

// Two steps, on a loaded machine.
const releaseMs = 500;

function isRoom(text: string): boolean {
  return /^\d{1,19}$/.test(text) && BigInt(text) < 2n ** 63n;
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
