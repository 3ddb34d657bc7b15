import { problemSchema } from "../../contract/problem.ts";
import { jsonOf, type Operation } from "./route.ts";

/** What /openapi.json says of the routes. */
export function openApiOf(operations: readonly Operation[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const one of operations) {
    const path = one.url.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [one.method.toLowerCase()]: described(one) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "pdctl daemon", version: "1", description: "HTTP over a Unix socket of mode 0600." },
    paths,
    components: { schemas: { Problem: jsonOf(problemSchema, "output") } },
  };
}

function described({ url, summary, status, isStream, schema, answer }: Operation): Record<string, unknown> {
  const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const parameters = [...inPath, ...propertiesOf(schema.querystring)];
  const kind = isStream === true ? "text/event-stream" : "application/json";
  return {
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(schema.body === undefined ? {} : { requestBody: { content: { "application/json": { schema: schema.body } } } }),
    responses: {
      [String(status)]: { description: "What was asked for", content: { [kind]: { schema: answer } } },
      default: {
        description: "An error, with a code",
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

function propertiesOf(schema: Record<string, unknown> | undefined): Record<string, unknown>[] {
  return Object.entries(schema?.["properties"] ?? {}).map(([name, one]) => ({ name, in: "query", schema: one }));
}
