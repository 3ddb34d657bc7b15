import { failRouterRequest } from "../../drivers/embedded-router/control.ts";
import { failEngineRequest } from "../../drivers/native/control.ts";
import { asked } from "../../lib/asked.ts";
import { limited } from "../../lib/wait.ts";
import { done, doorOf, type Operation, type OperationParts, type Result } from "./operation.ts";

const failLimitMs = 3_000;

/** Fails requests on every process that may hold a leg of them. Idempotent: one that has ended is left as it is. */
export async function failRequests(
  parts: OperationParts,
  { action, signal }: Operation,
  ids: readonly string[],
): Promise<Result> {
  const asks = ids.flatMap((id) =>
    parts.table.all().flatMap((entry) => {
      const door = doorOf(parts, entry);
      if (door === undefined) return [];
      const { name, role } = entry.spec;
      const fail = role === "router" ? failRouterRequest : failEngineRequest;
      return [{ name, id, ask: async () => await fail(door, id, action.why, limited(failLimitMs, signal)) }];
    }),
  );
  const answers = await Promise.all(asks.map(async ({ name, id, ask }) => ({ name, id, answer: await asked(ask) })));
  const details = answers.map(({ name, id, answer }) => {
    const words = answer.kind === "answered" ? answer.value.words : `not reached: ${answer.why}`;
    return ids.length === 1 ? `${name}: ${words}` : `${name}: request ${id}: ${words}`;
  });
  const silent = answers.filter(({ answer }) => answer.kind === "unanswered").map(({ name }) => name);
  const what = ids.length === 1 ? `request ${ids[0] ?? ""}` : `${ids.length} requests`;
  if (silent.length === answers.length) {
    return { outcome: "failed", words: `${what}: nobody could be asked to fail it`, details };
  }
  if (silent.length > 0) {
    return {
      outcome: "failed",
      words: `${what} failed, but ${[...new Set(silent)].join(", ")} did not answer`,
      details,
    };
  }
  if (answers.some(({ answer }) => answer.kind === "answered" && answer.value.failed)) {
    return done(`${what} failed on every process`, details);
  }
  return done(`${what} had ended already: nothing was left to fail`, details);
}
