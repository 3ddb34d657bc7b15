import type { FastifyReply } from "fastify";
import { z } from "zod";
import { PdctlError } from "../../contract/errors.ts";
import { eventSchema, type FleetEvent, liveViewSchema } from "../../contract/events.ts";
import { fleetLineSchema, observationSchema } from "../../contract/observation.ts";
import { durationMs } from "../../contract/units.ts";
import { EventStream } from "./event-stream.ts";
import type { ApiParts } from "./parts.ts";
import type { RouteTable } from "./route.ts";

const readersMax = 64;

const eventsQuerySchema = z.object({
  /** The id of the last event that was seen, or a duration such as 5m. */
  since: z.string().optional(),
  follow: z.string().optional(),
  view: z.literal("live").optional(),
});

/** What goes on by itself: events, the fleet at each tick, and what the poller sees. */
export function addStreamRoutes(routes: RouteTable, parts: ApiParts): void {
  const open = new Set<EventStream>();
  // Else a daemon that ends would wait for its readers.
  routes.server.addHook("preClose", async () => {
    for (const stream of open) stream.end();
  });
  const begin = (reply: FastifyReply): EventStream => {
    if (open.size >= readersMax) {
      const words = `${readersMax} streams are being read already.`;
      throw new PdctlError("system", words, "end some of those that read: pdctl top, events, record");
    }
    const stream = new EventStream(reply);
    open.add(stream);
    stream.onEnd(() => open.delete(stream));
    return stream;
  };

  routes.add(
    {
      method: "GET",
      url: "/v1/events",
      summary: "What has happened, as events; with follow=1 also what happens; with view=live the fleet at each tick",
      query: eventsQuerySchema,
      answer: z.union([eventSchema, liveViewSchema]),
      isStream: true,
    },
    ({ request }, reply) => {
      const { view, since, follow } = queryOf(request.query);
      const lastId = request.headers["last-event-id"];
      const from = sinceOf(typeof lastId === "string" ? lastId : since);
      if (view === "live") streamViews(begin(reply), parts);
      else streamEvents(begin(reply), parts, { from, follow: follow !== undefined });
    },
  );

  routes.add(
    {
      method: "GET",
      url: "/v1/observations",
      summary: "What the poller sees, as a recording holds it: first the fleet",
      answer: z.union([fleetLineSchema, observationSchema]),
      isStream: true,
    },
    (_ask, reply) => {
      const stream = begin(reply);
      stream.send({ name: "observation", data: parts.fleetLine() });
      stream.onEnd(parts.observations((data) => stream.send({ name: "observation", data })));
    },
  );
}

function streamViews(stream: EventStream, { views }: ApiParts): void {
  stream.onEnd(
    views((data) => {
      if (stream.isIdle) stream.send({ name: "view", data });
    }),
  );
}

type Since = { readonly id: number } | { readonly withinMs: number };

function streamEvents(
  stream: EventStream,
  { eventsSince, events }: ApiParts,
  { from, follow }: { readonly from: Since; readonly follow: boolean },
): void {
  const send = (event: FleetEvent): void => stream.send({ name: "event", id: event.id, data: event });
  for (const event of eventsSince(from)) send(event);
  if (follow) stream.onEnd(events(send));
  else stream.end();
}

function sinceOf(text: string | undefined): Since {
  if (text === undefined) return { withinMs: 0 };
  if (/^\d+$/.test(text)) return { id: Number(text) };
  const withinMs = durationMs(text);
  if (withinMs !== undefined) return { withinMs };
  throw new PdctlError("usage", `"${text}" is neither the id of an event nor a duration.`, "?since=5m");
}

function queryOf(query: unknown): z.infer<typeof eventsQuerySchema> {
  const found = eventsQuerySchema.safeParse(query);
  if (found.success) return found.data;
  throw new PdctlError("usage", "The query of /v1/events is not valid.", "?since=5m&follow=1, or ?view=live");
}
