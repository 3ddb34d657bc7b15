import type { Action } from "../../contract/action.ts";
import type { Sample } from "../../contract/observation.ts";
import { subjectParts } from "../../contract/subject.ts";
import { limited, pause } from "../../lib/wait.ts";
import type { OperationParts } from "./operation.ts";
import { isThere } from "./process-table.ts";
import { scopeOf } from "./scope.ts";

const lookLimitMs = 4_000;
// What moves shows it within a step or two; a long prefill step may not, but its request changes its stage first.
const apartMs = 500;

type LookParts = Pick<OperationParts, "table" | "look"> & { readonly intents: { readonly epoch: number } };
type Look = { readonly name: string; readonly sample: Sample | undefined };

/** The look right before an action of the healer. Says why the action is stale, or nothing where it still stands. */
export async function lookAgain(parts: LookParts, action: Action, signal: AbortSignal): Promise<string | undefined> {
  if (action.by !== "healer") return undefined;
  const other = otherNow(parts, action);
  if (other !== undefined) return other;
  switch (action.action) {
    case "fail":
    case "abort":
      return await requestsGone(parts, action, signal);
    case "restart":
    case "co-restart":
      return await wellAgain(parts, action, signal);
    case "drain":
    case "quarantine":
    case "shed":
    case "reregister":
    case "notify":
    case "start":
    case "stop":
    case "resume":
    case "canary":
      return undefined;
  }
}

// A plan for what has been replaced since is a plan for nobody.
function otherNow({ table, intents }: LookParts, { target, generation, epoch }: Action): string | undefined {
  if (epoch < intents.epoch) return `it was planned in epoch ${epoch}, and this is epoch ${intents.epoch}`;
  const parts = subjectParts(target);
  const name = parts?.kind === "engine" ? parts.name : parts?.kind === "router" ? "router" : undefined;
  if (name === undefined || generation === undefined || !table.has(name)) return undefined;
  return table.get(name).generation === generation ? undefined : `${name} was started again since it was planned`;
}

async function requestsGone(parts: LookParts, action: Action, signal: AbortSignal): Promise<string | undefined> {
  const names = parts.table.all().flatMap((entry) => (isThere(entry) ? [entry.spec.name] : []));
  const looks = await lookAt(parts, names, signal);
  const ids = action.requests ?? [];
  if (looks.some(({ sample }) => holds(sample, ids))) return undefined;
  return looks.every(({ sample }) => listed(sample) !== undefined)
    ? "none of its requests is there any more"
    : "its requests cannot be found, and not everyone can be read";
}

async function wellAgain(parts: LookParts, action: Action, signal: AbortSignal): Promise<string | undefined> {
  const names = action.target === "router" ? ["router"] : scopeOf(parts, action);
  const before = await lookAt(parts, names, signal);
  const { verdict, cause } = action.verdict ?? {};
  if (verdict === "down" || cause === "loop-hang") {
    const [name] = before.filter(({ sample }) => sample?.health === "ok").map((look) => look.name);
    const dead = names.some((one) => !isThere(parts.table.get(one)));
    return !dead && before.length > 0 && before.every(({ sample }) => sample?.health === "ok")
      ? `${name ?? "it"} answers again`
      : undefined;
  }
  if (before.every(({ sample }) => !isRead(sample))) return "nobody of it can be read";
  await pause(apartMs, signal);
  const after = await lookAt(parts, names, signal);
  const moved = names.find((name) => moves(of(before, name), of(after, name)));
  if (moved !== undefined) return `${moved} makes progress again`;
  return after.every(({ sample }) => isRead(sample) && !isStuck(sample, action))
    ? "nothing is stuck there any more"
    : undefined;
}

async function lookAt(parts: LookParts, names: readonly string[], signal: AbortSignal): Promise<readonly Look[]> {
  return await Promise.all(
    names.map(async (name) => {
      const seen = await parts.look(name, limited(lookLimitMs, signal));
      return { name, sample: seen?.kind === "sample" ? seen : undefined };
    }),
  );
}

function of(looks: readonly Look[], name: string): Sample | undefined {
  return looks.find((look) => look.name === name)?.sample;
}

/** Ids and rooms of what it has open; undefined where it did not say. */
function listed(sample: Sample | undefined): readonly string[] | undefined {
  const open = sample?.requests ?? sample?.open;
  return open?.flatMap(({ id, room }) => (room === undefined ? [id] : [id, room]));
}

function holds(sample: Sample | undefined, ids: readonly string[]): boolean {
  return listed(sample)?.some((id) => ids.includes(id)) ?? false;
}

function isRead(sample: Sample | undefined): sample is Sample {
  return sample !== undefined && (sample.health === undefined || sample.health === "ok" || sample.health === "fail");
}

const counters = [
  ...(["prompt_tokens_total", "generated_tokens_total", "transfers_completed_total"] as const),
  "transfer_bytes_total" as const,
];

function moves(before: Sample | undefined, after: Sample | undefined): boolean {
  return counters.some((key) => {
    const [first, second] = [before?.[key], after?.[key]];
    return first !== undefined && second !== undefined && second > first;
  });
}

const queues = ["bootstrap_queue", "waiting", "running", "inflight", "prealloc_queue", "transfer_queue"] as const;

// With names by its requests, without them by whatever waits there. What is not known counts as still there.
function isStuck(sample: Sample, { requests = [] }: Action): boolean {
  const ids = listed(sample);
  if (requests.length > 0 && ids !== undefined) return holds(sample, requests);
  const counts = queues.flatMap((key) => sample[key] ?? []);
  return counts.length === 0 || counts.some((count) => count > 0);
}
