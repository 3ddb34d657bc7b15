import type { FastifyInstance } from "fastify";
import { PdctlError } from "../../contract/errors.ts";
import { type FleetView, type StopWish, stopWishSchema } from "../../contract/fleet.ts";
import type { RequestDetail, RequestList } from "../../contract/request-view.ts";
import { findRequest, type Gathered } from "./find-request.ts";

/** What the routes may read, and the wishes they may leave. They never act themselves. */
export type ApiParts = {
  readonly fleet: () => FleetView;
  readonly requests: () => Promise<Gathered>;
  readonly wishStop: (wish: StopWish) => void;
  /** How long records of requests are kept, in words. */
  readonly keptWords: string;
};

export function addRoutes(server: FastifyInstance, { fleet, requests, wishStop, keptWords }: ApiParts): void {
  server.get("/livez", () => ({ live: true }));

  server.get("/readyz", async (_request, reply) => {
    const { state } = fleet();
    return await reply.code(state === "ready" ? 200 : 503).send({ state });
  });

  server.get("/v1/fleet", () => fleet());

  server.get("/v1/requests", async (): Promise<RequestList> => {
    const { details, unanswered } = await requests();
    return { requests: details.map(({ request }) => request), unanswered };
  });

  server.get<{ Params: { id: string } }>("/v1/requests/:id", async ({ params }): Promise<RequestDetail> => {
    return findRequest(await requests(), params.id, keptWords);
  });

  server.post("/v1/fleet/stop", async ({ body }, reply) => {
    const wish = stopWishSchema.safeParse(body ?? {});
    if (!wish.success) {
      const words = wish.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
      throw new PdctlError("usage", `The wish to stop is not valid: ${words}.`, '{"drainMs": 30000, "now": false}');
    }
    wishStop(wish.data);
    return await reply.code(202).send(fleet());
  });
}
