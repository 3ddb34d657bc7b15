import type { RequestRecord } from "../../contract/engine-http.ts";
import type { RequestDetail } from "../../contract/request-view.ts";
import type { RouterRequest } from "../../contract/router-http.ts";
import { viewOf } from "./request-view.ts";

/** What one engine said of its requests; undefined where it did not answer. */
export type EngineSaid = {
  readonly name: string;
  readonly role: "prefill" | "decode" | "both";
  readonly records: readonly RequestRecord[] | undefined;
};

/** What everyone said. `router` is undefined where it did not answer. */
export type AllSaid = {
  readonly engines: readonly EngineSaid[];
  readonly router: readonly RouterRequest[] | undefined;
};

/** Names of those who did not answer: what they know is unknown, not nothing. */
export function silentOnes({ engines, router }: AllSaid): string[] {
  const silent = engines.filter(({ records }) => records === undefined).map(({ name }) => name);
  return router === undefined ? [...silent, "router"] : silent;
}

/** One entry a request, newest first, whoever knows of it. */
export function mergeRequests(said: AllSaid, wallMs: number): RequestDetail[] {
  const { engines, router } = said;
  const unanswered = silentOnes(said);
  const byId = new Map<string, RequestDetail["legs"]>();
  for (const { id } of router ?? []) byId.set(id, []);
  for (const { name, records } of engines) {
    for (const record of records ?? []) byId.set(record.id, [...(byId.get(record.id) ?? []), { engine: name, record }]);
  }
  const routed = firstById(router ?? []);
  const roles = new Map(engines.map(({ name, role }) => [name, role]));
  return [...byId]
    .map(([id, legs]) => detailOf({ id, legs, router: routed.get(id), roles, unanswered, wallMs }))
    .sort((a, b) => b.request.arrived.localeCompare(a.request.arrived));
}

type Parts = {
  readonly id: string;
  readonly legs: RequestDetail["legs"];
  readonly router: RouterRequest | undefined;
  readonly roles: ReadonlyMap<string, EngineSaid["role"]>;
  readonly unanswered: string[];
  readonly wallMs: number;
};

function detailOf({ id, legs, router, roles, unanswered, wallMs }: Parts): RequestDetail {
  // An engine that has seen the id twice lists the newest first.
  const legOf = (role: EngineSaid["role"]): RequestDetail["legs"][number] | undefined =>
    legs.find(({ engine }) => roles.get(engine) === role);
  const found = (["prefill", "decode", "both"] as const).flatMap((role) => {
    const leg = legOf(role);
    return leg === undefined ? [] : [{ role, ...leg }];
  });
  const request = viewOf({
    id,
    ...(router === undefined ? {} : { router }),
    legs: Object.fromEntries(found.map(({ role, record }) => [role, record])),
    engines: Object.fromEntries(found.map(({ role, engine }) => [role, engine])),
    partial: unanswered.length > 0,
    wallMs,
  });
  return { request, ...(router === undefined ? {} : { router }), legs, unanswered };
}

function firstById(requests: readonly RouterRequest[]): ReadonlyMap<string, RouterRequest> {
  return new Map(requests.toReversed().map((one) => [one.id, one]));
}
