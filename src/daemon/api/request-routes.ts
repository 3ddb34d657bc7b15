import { requestDetailSchema, requestListSchema } from "../../contract/request-view.ts";
import { failWishSchema, wishAnswerSchema } from "../../contract/wishes.ts";
import { findRequest } from "./find-request.ts";
import type { ApiParts } from "./parts.ts";
import type { RouteTable } from "./route.ts";
import { carriedOut } from "./wish-reply.ts";

/** Requests, live and recent ones. */
export function addRequestRoutes(routes: RouteTable, { requests, wish, keptWords }: ApiParts): void {
  routes.add(
    { method: "GET", url: "/v1/requests", summary: "Every request that is on record", answer: requestListSchema },
    async () => {
      const { details, unanswered } = await requests();
      return { requests: details.map(({ request }) => request), unanswered };
    },
  );

  routes.add(
    {
      method: "GET",
      url: "/v1/requests/:id",
      summary: "One request by its id, its room, or a unique beginning of its id",
      answer: requestDetailSchema,
    },
    async ({ id }) => findRequest(await requests(), id, keptWords),
  );

  routes.add(
    {
      method: "POST",
      url: "/v1/requests/:id/fail",
      summary: "Fails it on every process",
      body: failWishSchema,
      answer: wishAnswerSchema,
      status: 202,
    },
    async ({ id, body }) => {
      const { request } = findRequest(await requests(), id, keptWords);
      return await carriedOut(wish, { kind: "fail", request: request.id, why: body.why });
    },
  );
}
