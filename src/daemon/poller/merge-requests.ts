import type { RequestRecord } from "../../contract/engine-http.ts";
import type { RequestDetail } from "../../contract/request-view.ts";
import type { RouterRequest } from "../../contract/router-http.ts";
import type { Cause, VerdictName } from "../../contract/verdict.ts";
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

/** What the detector says of requests, by their ids. */
export type RequestVerdicts = ReadonlyMap<
  string,
  { readonly verdict: VerdictName; readonly cause?: Cause | undefined }
>;

/** Names of those who did not answer: what they know is unknown, not nothing. */
export function silentOnes({ engines, router }: AllSaid): string[] {
  const silent = engines.filter(({ records }) => records === undefined).map(({ name }) => name);
  return router === undefined ? [...silent, "router"] : silent;
}

/** One entry a request, newest first, whoever knows of it. */
export function mergeRequests(said: AllSaid, wallMs: number, verdicts: RequestVerdicts = new Map()): RequestDetail[] {
  const { engines, router } = said;
  const unanswered = silentOnes(said);
  const idNow = currentIds(router ?? []);
  const byId = new Map<string, RequestDetail["legs"]>();
  for (const { id } of router ?? []) byId.set(id, []);
  for (const { name, records } of engines) {
    for (const record of records ?? []) {
      const id = idNow.get(record.id) ?? record.id;
      byId.set(id, [...(byId.get(id) ?? []), { engine: name, record }]);
    }
  }
  const routed = firstById(router ?? []);
  const roles = new Map(engines.map(({ name, role }) => [name, role]));
  return [...byId]
    .map(([id, legs]) =>
      detailOf({ id, legs, router: routed.get(id), roles, unanswered, wallMs, verdict: verdicts.get(id) }),
    )
    .sort((a, b) => b.request.arrived.localeCompare(a.request.arrived));
}

type Parts = {
  readonly id: string;
  readonly legs: RequestDetail["legs"];
  readonly router: RouterRequest | undefined;
  readonly roles: ReadonlyMap<string, EngineSaid["role"]>;
  readonly unanswered: string[];
  readonly wallMs: number;
  readonly verdict: { readonly verdict: VerdictName; readonly cause?: Cause | undefined } | undefined;
};

function detailOf({ id, legs, router, roles, unanswered, wallMs, verdict }: Parts): RequestDetail {
  // Those of its last attempt; an engine that has seen the id twice lists the newest first.
  const legOf = (role: EngineSaid["role"]): RequestDetail["legs"][number] | undefined =>
    legs.find(({ engine, record }) => roles.get(engine) === role && record.id === id);
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
    verdict,
  });
  return { request, ...(router === undefined ? {} : { router }), legs, unanswered };
}

/** A request that was sent again has another id since; what engines know by an older one belongs to it. */
function currentIds(requests: readonly RouterRequest[]): ReadonlyMap<string, string> {
  return new Map(requests.flatMap(({ id, earlier }) => (earlier ?? []).map((old) => [old, id] as const)));
}

function firstById(requests: readonly RouterRequest[]): ReadonlyMap<string, RouterRequest> {
  return new Map(requests.toReversed().map((one) => [one.id, one]));
}
