import { z } from "zod";
import { type ActionView, actionViewSchema } from "../contract/action.ts";
import { type EngineDetail, engineDetailSchema } from "../contract/engine-detail.ts";
import { PdctlError } from "../contract/errors.ts";
import { eventSchema, type FleetEvent, type LiveView, liveViewSchema } from "../contract/events.ts";
import { type FleetView, fleetViewSchema, type StopWish } from "../contract/fleet.ts";
import { type HealthView, healthViewSchema } from "../contract/health.ts";
import { type Incident, incidentListSchema, incidentSchema } from "../contract/incident.ts";
import { type FleetLine, fleetLineSchema, type Observation, observationSchema } from "../contract/observation.ts";
import {
  type RequestDetail,
  type RequestList,
  requestDetailSchema,
  requestListSchema,
} from "../contract/request-view.ts";
import {
  type DrainWish,
  type FailWish,
  type RestartWish,
  type WishAnswer,
  wishAnswerSchema,
} from "../contract/wishes.ts";
import { askDaemon, type Daemon, type DaemonAsk } from "./daemon-ask.ts";
import { streamOn, streamOnce } from "./daemon-stream.ts";

// The daemon itself asks every engine with a limit of 2 s.
const usualLimitMs = 10_000;

/** Asks the daemon behind one socket. Every error is a sentence: no daemon, a refusal, an answer not understood. */
export class DaemonClient {
  readonly #daemon: Daemon;

  constructor(socket: string, { limitMs = usualLimitMs }: { readonly limitMs?: number } = {}) {
    this.#daemon = { socket, limitMs };
  }

  async fleet(signal?: AbortSignal): Promise<FleetView> {
    return await this.#ask("/v1/fleet", fleetViewSchema, { signal });
  }

  async health(signal?: AbortSignal): Promise<HealthView> {
    return await this.#ask("/v1/health", healthViewSchema, { signal });
  }

  async requests(signal?: AbortSignal): Promise<RequestList> {
    return await this.#ask("/v1/requests", requestListSchema, { signal });
  }

  async request(id: string, signal?: AbortSignal): Promise<RequestDetail> {
    return await this.#ask(at("requests", id), requestDetailSchema, { signal });
  }

  async engine(name: string, signal?: AbortSignal): Promise<EngineDetail> {
    return await this.#ask(at("engines", name), engineDetailSchema, { signal });
  }

  async incidents(signal?: AbortSignal): Promise<z.infer<typeof incidentListSchema>> {
    return await this.#ask("/v1/incidents", incidentListSchema, { signal });
  }

  async incident(id: string, signal?: AbortSignal): Promise<Incident> {
    return await this.#ask(at("incidents", id), incidentSchema, { signal });
  }

  async action(id: string, signal?: AbortSignal): Promise<ActionView> {
    return await this.#ask(at("actions", id), actionViewSchema, { signal });
  }

  async stop(body: StopWish, signal?: AbortSignal): Promise<void> {
    await this.#ask("/v1/fleet/stop", z.unknown(), { body, signal });
  }

  async failRequest(id: string, body: FailWish, signal?: AbortSignal): Promise<WishAnswer> {
    return await this.#ask(`${at("requests", id)}/fail`, wishAnswerSchema, { body, signal });
  }

  async restartEngine(name: string, body: RestartWish, signal?: AbortSignal): Promise<WishAnswer> {
    return await this.#ask(`${at("engines", name)}/restart`, wishAnswerSchema, { body, signal });
  }

  async restartFleet(body: RestartWish, signal?: AbortSignal): Promise<WishAnswer> {
    return await this.#ask("/v1/fleet/restart", wishAnswerSchema, { body, signal });
  }

  async drain(name: string, body: DrainWish, signal?: AbortSignal): Promise<WishAnswer> {
    return await this.#ask(`${at("engines", name)}/drain`, wishAnswerSchema, { body, signal });
  }

  async resume(name: string, signal?: AbortSignal): Promise<WishAnswer> {
    return await this.#ask(`${at("engines", name)}/resume`, wishAnswerSchema, { body: {}, signal });
  }

  /** What has happened since an event's id or for that long ("5m"), oldest first. */
  async pastEvents(since: string, signal: AbortSignal): Promise<FleetEvent[]> {
    const path = (): string => `/v1/events?since=${encodeURIComponent(since)}`;
    const events: FleetEvent[] = [];
    for await (const batch of streamOnce(this.#daemon, { path, schema: eventSchema, names: ["event"], signal }))
      events.push(...batch.map(({ value }) => value));
    signal.throwIfAborted();
    return events;
  }

  /** The same and what happens from then on, over daemons that come and go. Returns once the signal aborts. */
  async *events(since: string, signal: AbortSignal): AsyncGenerator<FleetEvent> {
    const path = (last?: string): string => `/v1/events?since=${encodeURIComponent(last ?? since)}&follow=1`;
    for await (const batch of streamOn(this.#daemon, { path, schema: eventSchema, names: ["event"], signal }))
      yield* batch;
  }

  /** The fleet at each tick, over daemons that come and go. Whoever is late gets the newest. Returns on abort. */
  async *live(signal: AbortSignal): AsyncGenerator<LiveView> {
    const path = (): string => "/v1/events?view=live";
    for await (const batch of streamOn(this.#daemon, { path, schema: liveViewSchema, names: ["view"], signal })) {
      const newest = batch.at(-1);
      if (newest !== undefined) yield newest;
    }
  }

  /** What the poller sees, as a recording holds it: first the fleet. Returns once the signal aborts or the daemon ends. */
  async *observations(signal: AbortSignal): AsyncGenerator<FleetLine | Observation> {
    const path = (): string => "/v1/observations";
    const stream = { path, schema: fleetLineSchema.or(observationSchema), names: ["observation"], signal };
    let hasBegun = false;
    try {
      for await (const batch of streamOnce(this.#daemon, stream)) {
        hasBegun ||= batch.length > 0;
        yield* batch.map(({ value }) => value);
      }
    } catch (error) {
      if (!hasBegun || !(error instanceof PdctlError) || error.code !== "fleet-not-running") throw error;
    }
  }

  async #ask<T>(path: string, schema: z.ZodType<T>, ask: DaemonAsk): Promise<T> {
    return await askDaemon(this.#daemon, { path, schema, ...ask });
  }
}

function at(kind: string, id: string): string {
  return `/v1/${kind}/${encodeURIComponent(id)}`;
}
