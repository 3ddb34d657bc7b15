import type { Action } from "../../contract/action.ts";
import { type SubjectParts, subjectParts } from "../../contract/subject.ts";
import type { OperationParts } from "./operation.ts";
import { scopeOf } from "./scope.ts";

/** Whom nobody else may touch while it is performed. */
export function heldBy(parts: Pick<OperationParts, "table">, action: Action): readonly string[] {
  const target = subjectParts(action.target);
  switch (action.action) {
    case "start":
    case "stop":
      if (target?.kind === "fleet") return parts.table.all().map(({ spec }) => spec.name);
      return [processOf(target) ?? []].flat();
    case "restart":
    case "drain":
    case "resume":
      return [processOf(target) ?? []].flat();
    case "co-restart":
      return scopeOf(parts, action);
    case "fail":
    case "abort":
    case "quarantine":
    case "shed":
    case "reregister":
    case "notify":
    case "canary":
      return [];
  }
}

/** The process that a target is, if it is one. */
export function processOf(target: SubjectParts | undefined): string | undefined {
  if (target?.kind === "router") return "router";
  return target?.kind === "engine" ? target.name : undefined;
}
