import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { PdctlError } from "../../contract/errors.ts";

/** One route, as it is served and as /openapi.json tells of it. */
export type Route<Body> = {
  readonly method: "GET" | "POST";
  /** With `:name` for a part that varies. */
  readonly url: string;
  readonly summary: string;
  readonly body?: z.ZodType<Body>;
  readonly answer: z.ZodType;
  /** Of a good answer; 200 where nothing is said. */
  readonly status?: 200 | 202;
  /** A stream of server-sent events, each with an answer as its data. */
  readonly isStream?: boolean;
  readonly query?: z.ZodType;
};

type JsonSchema = Record<string, unknown>;

export type Handler<Body> = (
  ask: { readonly id: string; readonly body: Body; readonly request: FastifyRequest },
  reply: FastifyReply,
) => unknown;

/** The routes that are served, and what is told of them: both from the same schemas. */
export class RouteTable {
  readonly server: FastifyInstance;
  readonly operations: Operation[] = [];

  constructor(server: FastifyInstance) {
    this.server = server;
  }

  add<Body = undefined>(route: Route<Body>, handle: Handler<Body>): void {
    const { method, url, status = 200 } = route;
    const operation = operationOf(route);
    this.operations.push(operation);
    this.server.route<{ Params: { id?: string } }>({
      method,
      url,
      schema: { ...operation.schema, response: { [status]: operation.answer } },
      handler: async (request, reply) => {
        const body = bodyOf(route, request.body);
        const answered = await handle({ id: request.params.id ?? "", body, request }, reply);
        // A stream has taken the reply over.
        if (route.isStream === true) return reply;
        return await reply.code(reply.statusCode === 200 ? status : reply.statusCode).send(answered);
      },
    });
  }
}

/** One route in JSON Schema. */
export type Operation = Pick<Route<unknown>, "method" | "url" | "summary" | "status" | "isStream"> & {
  readonly schema: { readonly body?: JsonSchema; readonly querystring?: JsonSchema };
  readonly answer: JsonSchema;
};

function operationOf<Body>(route: Route<Body>): Operation {
  const { method, url, summary, status = 200, isStream = false, body, query, answer } = route;
  const schema = {
    ...(body === undefined ? {} : { body: jsonOf(body, "input") }),
    ...(query === undefined ? {} : { querystring: jsonOf(query, "input") }),
  };
  return { method, url, summary, status, isStream, schema, answer: jsonOf(answer, "output") };
}

function bodyOf<Body>({ method, url, body: schema }: Route<Body>, body: unknown): Body {
  if (schema === undefined) return undefined as Body;
  const found = schema.safeParse(body ?? {});
  if (found.success) return found.data;
  const words = found.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join(".")}: ${message}` : message,
  );
  throw new PdctlError(
    "usage",
    `The body of ${method} ${url} is not valid: ${words.join("; ")}.`,
    "/openapi.json has its schema",
  );
}

// Subjects and rooms are checked by code that JSON Schema cannot say: they are strings there.
export function jsonOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
