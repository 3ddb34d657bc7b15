import type { FastifyInstance } from "fastify";
import { askJson } from "../../lib/http-json.ts";
import { Refusal } from "../../lib/refusal.ts";
import { limited } from "../../lib/wait.ts";
import type { RouterParts } from "../router-parts.ts";

/** GET /v1/models: all engines serve one model, so any of them may say which. */
export function modelsRoute(app: FastifyInstance, { edges, name }: RouterParts): void {
  app.get("/v1/models", async () => {
    const engine = edges.first;
    if (engine === undefined) throw new Refusal("starting", `Router ${name} has no engines.`);
    try {
      const { status, body } = await askJson({ url: `${engine.url}/v1/models` }, { signal: limited(askMs) });
      if (status === 200) return body;
    } catch (error) {
      throw new Refusal(
        "engine-lost",
        `Engine ${engine.name} does not answer: ${error instanceof Error ? error.message : String(error)}.`,
      );
    }
    throw new Refusal("engine-lost", `Engine ${engine.name} does not serve now.`);
  });
}

const askMs = 5_000;
