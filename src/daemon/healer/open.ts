import type { Action } from "../../contract/action.ts";
import { subjectParts } from "../../contract/subject.ts";
import type { Situation } from "./situation.ts";

/** Subjects on which an action has begun that has not ended. */
export function openTargets({ ledger }: Situation): ReadonlySet<string> {
  return new Set(Object.values(ledger.open).map(({ target }) => target));
}

/** Whether something that concerns the whole fleet is going on: nothing else is begun beside it. */
export function settling({ ledger }: Situation): boolean {
  return Object.values(ledger.open).some(({ action, target }) => target === "fleet" && wide.has(action));
}

const wide: ReadonlySet<Action["action"]> = new Set(["start", "stop", "co-restart"]);

/** Engines that something is being done to by now, so that what is seen of them means nothing. */
export function enginesAtWork({ ledger, processes }: Situation): ReadonlySet<string> {
  const names = processes.filter(({ busy }) => busy).map(({ name }) => name);
  const opened = Object.values(ledger.open).flatMap((action) => (isHard(action) ? enginesOf(action) : []));
  return new Set([...names, ...opened]);
}

function isHard({ action }: Action): boolean {
  return action === "restart" || action === "co-restart" || action === "start";
}

function enginesOf({ target, engines }: Action): readonly string[] {
  const parts = subjectParts(target);
  return [...(engines ?? []), ...(parts?.kind === "engine" ? [parts.name] : [])];
}
