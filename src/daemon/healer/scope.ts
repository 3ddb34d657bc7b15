import type { Verdict, VerdictName } from "../../contract/verdict.ts";
import type { Situation } from "./situation.ts";

const stuckNames: ReadonlySet<VerdictName> = new Set(["wedge", "suspect", "down"]);

/** The engines that must be restarted together: those given, and the peers that hold stuck work with one of them. */
export function closedSet(
  engines: readonly string[],
  { verdicts, processes }: Pick<Situation, "verdicts" | "processes">,
): readonly string[] {
  const stuck = verdicts.filter((one) => stuckNames.has(one.verdict) && one.engines.length > 1);
  let names = new Set(engines);
  for (;;) {
    const wider = new Set([...names, ...stuck.filter((one) => touches(one, names)).flatMap((one) => one.engines)]);
    if (wider.size === names.size) break;
    names = wider;
  }
  // In the order in which they are started; the router goes on and only moves to the new epoch.
  const known = processes.filter(({ role }) => role !== "router").map(({ name }) => name);
  return known.filter((name) => names.has(name));
}

function touches({ engines }: Verdict, names: ReadonlySet<string>): boolean {
  return engines.some((name) => names.has(name));
}
