import { addressOf, isLoopback } from "./address.ts";
import type { FleetConfig } from "./config.ts";
import { ladderProblems } from "./config-ladder.ts";
import type { ConfigProblem } from "./config-problem.ts";
import { type Instance, instances } from "./instances.ts";

/** What no schema can say. `testLimits` allows the short ladders of tests. */
export function refusals(config: FleetConfig, { testLimits }: { testLimits: boolean }): ConfigProblem[] {
  const all = instances(config);
  return [
    ...roleProblems(config),
    ...nameProblems(all),
    ...portProblems(config, all),
    ...gpuProblems(all),
    ...openProblems(config),
    ...argsProblems(config),
    ...(testLimits ? [] : ladderProblems(config)),
  ];
}

function roleProblems({ engines }: FleetConfig): ConfigProblem[] {
  const roles = new Set(engines.map(({ role }) => role));
  if (roles.has("both") || (roles.has("prefill") && roles.has("decode"))) return [];
  const missing = roles.has("prefill") ? "decode" : "prefill";
  return [{ path: ["engines"], words: `no engine of role ${missing}: a fleet needs prefill and decode, or role both` }];
}

function nameProblems(all: readonly Instance[]): ConfigProblem[] {
  const named = all.map((one) => ({ key: one.name, who: one.name, path: ["engines", one.entry, "name"] }));
  return [
    ...twice(named).map(({ path, key }) => ({ path, words: `two engines are named "${key}"` })),
    ...named
      .filter(({ key }) => ownNames.has(key))
      .map(({ path, key }) => ({ path, words: `"${key}" is the name of a process of pdctl itself` })),
  ];
}

// Files, logs and subjects are called by the names of processes.
const ownNames: ReadonlySet<string> = new Set(["router", "daemon", "watchdog", "fleet"]);

function portProblems(config: FleetConfig, all: readonly Instance[]): ConfigProblem[] {
  const router = addressOf(config.router.listen);
  const claims: Claim[] = [
    { key: String(router?.port ?? 0), who: "router", path: ["router", "listen"] },
    { key: String(addressOf(config.metrics.listen)?.port ?? 0), who: "metrics", path: ["metrics", "listen"] },
    ...all.flatMap((one) => [
      { key: String(one.port), who: one.name, path: ["engines", one.entry, "port"] },
      { key: String(one.bootstrapPort), who: one.name, path: ["engines", one.entry, "bootstrap-port"] },
    ]),
  ];
  const beyond = claims.filter(({ key }) => Number(key) > 65_535);
  return [
    ...twice(claims.filter(({ key }) => key !== "0")).map(({ path, key, who, other }) => ({
      path,
      words: `port ${key} of ${who} is also a port of ${other}`,
    })),
    ...beyond.map(({ path, key, who }) => ({ path, words: `port ${key} of ${who} is above 65535` })),
  ];
}

function gpuProblems(all: readonly Instance[]): ConfigProblem[] {
  const claims = all.flatMap((one) =>
    one.gpus.map((gpu) => ({ key: String(gpu), who: one.name, path: ["engines", one.entry, "gpus"] })),
  );
  return twice(claims).map(({ path, key, who, other }) => ({
    path,
    words: `GPU ${key} of ${who} is also a GPU of ${other}`,
  }));
}

function openProblems(config: FleetConfig): ConfigProblem[] {
  const router = addressOf(config.router.listen);
  const advice = "reachable from other machines without keys: listen on 127.0.0.1, or set allow-open: true";
  const problems: ConfigProblem[] = config.engines.flatMap((engine, entry) =>
    engine["allow-open"] || isLoopback(engine.host) ? [] : [{ path: ["engines", entry, "host"], words: advice }],
  );
  if (router !== undefined && !config.router["allow-open"] && !isLoopback(router.host)) {
    problems.push({ path: ["router", "listen"], words: advice });
  }
  return problems;
}

// Set by pdctl itself from the configuration: a second value would win or lose by chance.
const ownedFlags: ReadonlySet<string> = new Set([
  ...["name", "role", "model", "listen", "bootstrap", "socket-dir", "secret-file", "ready-file", "lifeline"],
  ...["threads", "pool", "context", "sequences", "allow-faults", "allow-open"],
  ...["deadline-bootstrap", "deadline-waiting", "deadline-inflight", "deadline-connect"],
]);

function argsProblems({ engines }: FleetConfig): ConfigProblem[] {
  return engines.flatMap(({ driver, args }, entry) =>
    Object.keys(args)
      .filter((flag) => driver === "native" && ownedFlags.has(flag))
      .map((flag) => ({
        path: ["engines", entry, "args", flag],
        words: "is set by pdctl: use the key of the engine or of deadlines",
      })),
  );
}

type Claim = { readonly key: string; readonly who: string; readonly path: ConfigProblem["path"] };

// The second and later holders of a key, each with the first one's name.
function twice(claims: readonly Claim[]): (Claim & { readonly other: string })[] {
  const first = new Map<string, string>();
  return claims.flatMap((claim) => {
    const other = first.get(claim.key);
    if (other === undefined) first.set(claim.key, claim.who);
    return other === undefined ? [] : [{ ...claim, other }];
  });
}
