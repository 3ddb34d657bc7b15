import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { addressOf } from "../../contract/address.ts";
import { admitBodySchema, edgesBodySchema, holdBodySchema } from "../../contract/router-http.ts";
import { jsonBody } from "../../lib/json-body.ts";
import { invalid } from "../../lib/refusal.ts";
import type { EngineSpec } from "../edges/engine.ts";
import type { RouterParts } from "../router-parts.ts";

/** Which engines there are, and whether requests wait: said by the daemon. Each answer is the state after it. */
export function tableRoutes(app: FastifyInstance, { sender }: RouterParts): void {
  app.put("/edges", async (request) => {
    const { epoch, engines, quarantined } = read(edgesBodySchema, request.body);
    sender.putEdges(epoch, engines.map(specOf), quarantined);
    return { epoch: sender.epoch, engines: engines.length };
  });
  app.post("/hold", async (request) => {
    const { epoch, subjects, leaseMs, engines, why } = read(holdBodySchema, request.body);
    sender.holdBack(epoch, { leaseMs, engines, why }, subjects);
    return { epoch: sender.epoch, ...sender.hold };
  });
  app.post("/admit", async (request) => {
    sender.admit(read(admitBodySchema, request.body).epoch);
    return { epoch: sender.epoch };
  });
}

function read<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(jsonBody(body));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") ?? "";
  throw invalid(field, `${field === "" ? "The body" : field} is not as it must be: ${issue?.message}.`);
}

function specOf(
  { name, role, url, bootstrap, generation, admits }: z.output<typeof edgesBodySchema>["engines"][number],
  index: number,
  all: readonly { readonly name: string }[],
): EngineSpec {
  const field = `engines.${index}`;
  if (all.findIndex((one) => one.name === name) !== index) throw invalid(field, `Engine ${name} is there twice.`);
  const { origin, protocol } = new URL(url);
  if (protocol !== "http:") throw invalid(field, `Engine ${name} must have a URL of http; found ${url}.`);
  const address = bootstrap === undefined ? undefined : addressOf(bootstrap);
  if (role === "prefill" && address === undefined)
    throw invalid(field, `Prefill engine ${name} must have a bootstrap address HOST:PORT; found ${bootstrap}.`);
  return { name, role, url: origin, bootstrap: role === "prefill" ? address : undefined, generation, admits };
}
