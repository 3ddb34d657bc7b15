import type { FleetConfig } from "./config.ts";
import type { ConfigProblem } from "./config-problem.ts";

/** What the configuration may say but this version cannot run yet. */
export function unsupported({ engines, router, transfer }: FleetConfig): ConfigProblem[] {
  const problems: ConfigProblem[] = engines.flatMap(({ driver, url, role }, entry) => [
    ...not(driver === "native", ["engines", entry, "driver"], `starts no ${driver} engines yet: driver: native`),
    ...not(url === undefined, ["engines", entry, "url"], "attaches to no engine that runs already: leave url out"),
    ...not(role !== "both", ["engines", entry, "role"], "has no role both in a fleet yet: one prefill and one decode"),
  ]);
  const { driver } = router;
  const { backend } = transfer;
  return [
    ...problems,
    ...not(driver === "embedded", ["router", "driver"], `starts no router ${driver} yet: driver: embedded`),
    ...not(backend === "shm", ["transfer", "backend"], `has no transfer back end ${backend} yet: backend: shm`),
  ];
}

function not(fine: boolean, path: ConfigProblem["path"], words: string): ConfigProblem[] {
  return fine ? [] : [{ path, words: `this version ${words}` }];
}
