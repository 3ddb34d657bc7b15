import { routerRequests } from "../../drivers/embedded-router/probe.ts";
import { engineRecords } from "../../drivers/native/probe.ts";
import { type Asked, asked } from "../../lib/asked.ts";
import { limited } from "../../lib/wait.ts";
import type { AllSaid, EngineSaid } from "./merge-requests.ts";

/** A process to ask. Without a url it has none to answer on (it failed, or does not serve yet). */
export type Target = { readonly name: string; readonly url: string | undefined };

export type Targets = {
  readonly engines: readonly (Target & Pick<EngineSaid, "role">)[];
  readonly router: Target;
  readonly secret: string;
};

// An engine answers from a snapshot; one that takes longer than this is stuck, and is said to be.
const limitMs = 2_000;

/** Asks everyone at once, each with its own deadline: one that hangs delays nobody. */
export async function askRequests({ engines, router, secret }: Targets): Promise<AllSaid> {
  const ask = async <T>(
    target: Target,
    question: (url: string, signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> => {
    const { url } = target;
    if (url === undefined) return undefined;
    return answerOf(await asked(async () => await question(url, limited(limitMs))));
  };
  const [routed, ...said] = await Promise.all([
    ask(router, async (url, signal) => await routerRequests({ url, secret }, signal)),
    ...engines.map(
      async (engine): Promise<EngineSaid> => ({
        name: engine.name,
        role: engine.role,
        records: await ask(engine, async (url, signal) => await engineRecords({ url, secret }, signal)),
      }),
    ),
  ]);
  return { engines: said, router: routed };
}

function answerOf<T>(answer: Asked<T>): T | undefined {
  switch (answer.kind) {
    case "answered":
      return answer.value;
    case "unanswered":
      return undefined;
  }
}
