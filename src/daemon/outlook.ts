import type { FleetEvent, LiveView } from "../contract/events.ts";
import type { FleetView } from "../contract/fleet.ts";
import type { HealthView } from "../contract/health.ts";
import { healthOf } from "../contract/health-view.ts";
import type { FleetLine, Observation } from "../contract/observation.ts";
import type { RequestView } from "../contract/request-view.ts";
import { asked } from "../lib/asked.ts";
import type { Clock } from "../lib/clock.ts";
import type { HostFacts } from "../lib/host-facts.ts";
import type { ApiParts, Gathered } from "./api/parts.ts";
import type { EventLog } from "./event-log.ts";
import { engineDetail, fleetView, type ViewGround } from "./fleet-view.ts";
import { gatherRequests } from "./gather-requests.ts";
import { Hub } from "./hub.ts";
import type { Turn } from "./loop.ts";
import type { FleetState } from "./state.ts";
import type { WishBox } from "./wish-box.ts";

export type OutlookParts = {
  readonly state: () => FleetState;
  readonly ground: ViewGround;
  readonly secret: string;
  readonly clock: Clock;
  readonly host: () => HostFacts;
  readonly eventLog: EventLog;
  readonly wishes: Pick<WishBox, "leave">;
  readonly fleetLine: FleetLine;
  readonly onMistake: (error: unknown) => void;
};

// As many as native/engine/flight_recorder.h keeps.
const keptWords = "records are kept of live requests, and of the last 1,024 ended ones of each engine while it runs";
const liveMax = 1_000;

/** What others may see of the daemon: questions that are answered from its state, and streams that follow it. */
export class Outlook {
  readonly #parts: OutlookParts;
  readonly #events: Hub<FleetEvent>;
  readonly #views: Hub<LiveView>;
  readonly #observations: Hub<Observation>;
  #live: readonly RequestView[] | undefined;
  #isGathering = false;

  constructor(parts: OutlookParts) {
    this.#parts = parts;
    this.#events = new Hub(parts.onMistake);
    this.#views = new Hub(parts.onMistake);
    this.#observations = new Hub(parts.onMistake);
  }

  fleet(): FleetView {
    return fleetView(this.#parts.state(), this.#parts.ground);
  }

  api(): ApiParts {
    const { state, ground, eventLog, clock, wishes, fleetLine } = this.#parts;
    return {
      fleet: () => this.fleet(),
      health: () => this.#health(),
      requests: async () => await this.#requests(),
      engine: (name) => engineDetail(state(), name, ground),
      incidents: () => [...state().book.open.toReversed(), ...state().book.ended],
      action: (id) => state().actions.get(id),
      wish: async (wish) => await wishes.leave(wish),
      eventsSince: (since) => eventLog.since(since, clock.wallMs()),
      events: this.#events.source,
      views: this.#views.source,
      fleetLine: () => fleetLine,
      observations: this.#observations.source,
      keptWords,
    };
  }

  tellEvent(event: FleetEvent): void {
    this.#events.tell(event);
  }

  /** A tick is over. What takes asking is asked for beside the ticks. */
  follow({ seen, after }: Turn): void {
    // A recording's lines of one time are one tick: each has the time of the tick that took it.
    const { clock } = this.#parts;
    const t = (after.tickMs ?? clock.nowMs()) / 1_000;
    if (this.#observations.hasListeners) for (const one of seen) this.#observations.tell({ ...one, t });
    if (!this.#views.hasListeners) {
      this.#live = undefined;
    } else if (!this.#isGathering) {
      void this.#gather();
    } else if (this.#live !== undefined) {
      // An engine that hangs keeps nobody from seeing that it does.
      this.#tellView(this.#live);
    }
  }

  #health(): HealthView {
    const { state, clock } = this.#parts;
    const nowMs = clock.nowMs();
    const { verdicts, tickMs = nowMs } = state();
    return healthOf({ fleet: this.fleet(), verdicts, tickMs, nowMs });
  }

  async #requests(): Promise<Gathered> {
    return await gatherRequests(this.#parts.state(), this.#parts);
  }

  async #gather(): Promise<void> {
    this.#isGathering = true;
    const gathered = await asked(async () => await this.#requests());
    this.#isGathering = false;
    switch (gathered.kind) {
      case "answered":
        this.#live = liveOnes(gathered.value);
        this.#tellView(this.#live);
        break;
      case "unanswered":
        this.#parts.onMistake(new Error(gathered.why));
    }
  }

  #tellView(requests: readonly RequestView[]): void {
    this.#views.tell({ fleet: this.fleet(), requests: [...requests], host: this.#parts.host() });
  }
}

// The oldest in its stage first: whoever looks wants to see what does not move.
function liveOnes({ details }: Gathered): RequestView[] {
  const age = ({ stageAgeMs, ageMs }: RequestView): number => stageAgeMs ?? ageMs;
  return details
    .flatMap(({ request }) => (request.live ? [request] : []))
    .sort((a, b) => age(b) - age(a))
    .slice(0, liveMax);
}
