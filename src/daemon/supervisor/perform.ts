import type { Action } from "../../contract/action.ts";
import { type SubjectParts, subjectParts } from "../../contract/subject.ts";
import { canaryOf } from "./canary.ts";
import { coRestart } from "./co-restart.ts";
import { drain, resume } from "./drain-engine.ts";
import { failRequests } from "./fail-requests.ts";
import { processOf } from "./held-by.ts";
import { done, type Operation, type OperationParts, type Result } from "./operation.ts";
import { restartProcess, startProcess, stopProcess } from "./restart-one.ts";
import type { Pair } from "./router-edges.ts";
import { startFleet } from "./start-fleet.ts";
import { stopFleet } from "./stop-fleet.ts";

/** Does what an action says. Throws where it does not work. */
export async function perform(parts: OperationParts, operation: Operation): Promise<Result> {
  const { action, signal } = operation;
  const target = subjectParts(action.target);
  const name = processOf(target);
  switch (action.action) {
    case "start":
      if (target?.kind === "fleet") return await startFleet(parts, operation);
      return name === undefined ? inapplicable(action) : await startProcess(parts, operation, name);
    case "stop":
      if (target?.kind === "fleet") return await stopFleet(parts, operation);
      return name === undefined ? inapplicable(action) : await stopProcess(parts, operation, name);
    case "restart":
      return name === undefined ? inapplicable(action) : await restartProcess(parts, operation, name);
    case "co-restart":
      return await coRestart(parts, operation);
    case "fail":
    case "abort":
      return await failNamed(parts, operation, target);
    case "drain":
      return target?.kind === "engine" ? await drain(parts, operation, target.name) : inapplicable(action);
    case "resume":
      if (target?.kind === "edge") return await quarantine(parts, operation, target, false);
      return target?.kind === "engine" ? await resume(parts, operation, target.name) : inapplicable(action);
    case "quarantine":
      return target?.kind === "edge" ? await quarantine(parts, operation, target, true) : inapplicable(action);
    case "canary":
      return target?.kind === "edge" ? await canaryOf(parts, target, signal) : inapplicable(action);
    case "notify":
      return notify(parts, action);
    case "shed":
    case "reregister":
      return inapplicable(action);
  }
}

function inapplicable({ action, target }: Action): Result {
  return { outcome: "refused", words: `${action} cannot be done to ${target} in this version` };
}

async function failNamed(
  parts: OperationParts,
  operation: Operation,
  target: SubjectParts | undefined,
): Promise<Result> {
  const own = target?.kind === "request" ? [target.id] : [];
  const ids = [...new Set([...own, ...(operation.action.requests ?? [])])];
  if (ids.length === 0) return { outcome: "refused", words: "no request is named that could be failed" };
  return await failRequests(parts, operation, ids);
}

// The pair is kept out, or let in again; both of its engines go on with others.
async function quarantine(
  { intents, edges }: OperationParts,
  { signal }: Operation,
  { prefill, decode }: Pair,
  out: boolean,
): Promise<Result> {
  const others = intents.quarantined.filter((edge) => edge.prefill !== prefill || edge.decode !== decode);
  intents.setQuarantined(out ? [...others, { prefill, decode }] : others);
  await edges.push(signal);
  return done(`${prefill}:${decode} takes ${out ? "no new requests" : "requests again"}`);
}

function notify({ log, say }: OperationParts, { target, why, verdict }: Action): Result {
  log.warn({ target, verdict }, why);
  say(target, why);
  return done("people are told, here and in the log");
}
