import type { Action } from "../../contract/action.ts";
import { subjectParts } from "../../contract/subject.ts";
import { enginesOf, type OperationParts } from "./operation.ts";

/** The engines that an action means, in the order of the fleet: those that it names, or those of its target. */
export function scopeOf(parts: Pick<OperationParts, "table">, { target, engines }: Action): readonly string[] {
  const all = enginesOf(parts).map(({ spec }) => spec.name);
  if (engines !== undefined && engines.length > 0) return all.filter((name) => engines.includes(name));
  const subject = subjectParts(target);
  switch (subject?.kind) {
    case "fleet":
      return all;
    case "engine":
      return all.filter((name) => name === subject.name);
    case "edge":
      return all.filter((name) => name === subject.prefill || name === subject.decode);
    case "router":
    case "request":
    case undefined:
      return [];
  }
}
