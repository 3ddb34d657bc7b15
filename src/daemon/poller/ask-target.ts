import type { EdgeLine, Sample } from "../../contract/observation.ts";
import { probeRouter } from "../../drivers/embedded-router/probe.ts";
import { probeNative } from "../../drivers/native/probe.ts";
import type { Target } from "./target.ts";

export type Health = NonNullable<Sample["health"]>;

/** What came of one question: fields of the sample, lines of edges, or only how it failed. */
export type Answer = {
  readonly health: Health;
  readonly fields: Partial<Sample>;
  readonly edges: readonly Omit<EdgeLine, "kind" | "t">[];
  readonly canaries: readonly string[];
};

/** Asks once. `limit` ends every wait: for the connection, the head and the body. */
export async function askTarget(
  { role, state, url }: Pick<Target, "role" | "state"> & { readonly url: string },
  secret: string,
  limit: AbortSignal,
): Promise<Answer> {
  try {
    if (role === "router") return { health: "ok", ...(await probeRouter({ url, secret }, limit)) };
    return { health: "ok", fields: await probeNative({ url, secret }, limit), edges: [], canaries: [] };
  } catch (error) {
    // Who is starting need not answer yet; how long it may take is the start deadline's to say.
    return onlyHealth(state === "starting" ? "starting" : failureOf(error, limit));
  }
}

export function onlyHealth(health: Health): Answer {
  return { health, fields: {}, edges: [], canaries: [] };
}

function failureOf(error: unknown, limit: AbortSignal): Health {
  // First: what is cut off by the limit fails in several ways.
  if (limit.aborted) return "timeout";
  return error instanceof Error && "code" in error && error.code === "ECONNREFUSED" ? "refused" : "fail";
}
