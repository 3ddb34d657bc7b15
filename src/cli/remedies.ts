import { subjectParts } from "../contract/subject.ts";
import type { Verdict, VerdictName } from "../contract/verdict.ts";
import { shellWords } from "./shell-words.ts";

/** What a person can do about a verdict, in order; lines with commands can be pasted. */
export function remedies(verdict: Verdict): string[] {
  return (byCause[verdict.cause ?? ""] ?? byVerdict[verdict.verdict])(verdict);
}

type Remedy = (verdict: Verdict) => string[];

const nothing: Remedy = () => [];

const byVerdict: Record<VerdictName, Remedy> = {
  ok: nothing,
  idle: nothing,
  busy: nothing,
  slow: () => ["nothing yet: it moves; pdctl top shows whether it keeps up"],
  starting: () => ["wait until it is ready"],
  draining: (verdict) => [`${engineCommand(["resume"], verdict)} takes requests again`],
  paused: nothing,
  suspect: () => ["wait: it either moves again or becomes a wedge, which policy.act answers"],
  wedge: (verdict) => [...failing(verdict), restartTogether(verdict, "where that does not help: ")],
  leak: (verdict) => [`${engineCommand(["restart"], verdict)} once nothing runs on it`],
  storm: () => ["look for the client that breaks off many requests; a restart does not help"],
  fault: (verdict) => [`${engineCommand(["logs"], verdict)} shows what it says of itself`],
  down: (verdict) => [
    `${engineCommand(["logs"], verdict)} shows its last words`,
    `it is started again within policy.restarts; beyond it: ${engineCommand(["restart"], verdict, ["--force"])}`,
  ],
  unknown: () => ["pdctl status shows who answers; nothing is done while it is unknown"],
};

const byCause: Readonly<Record<string, Remedy>> = {
  secondary: () => ["nothing here: it waits for the one that it names"],
  "loop-hang": (verdict) => [restartTogether(verdict, "")],
  "decode-restart": (verdict) => [restartTogether(verdict, "")],
  "edge-broken": () => ["the pair takes no requests; restart the engine that its evidence names"],
  "router-breaker": () => ["pdctl restart router"],
  "router-stale-worker": () => ["pdctl restart router"],
  "limit-too-low": () => ["raise the deadline that it names in pdctl.yaml, then pdctl down and pdctl up"],
  config: () => ["pdctl config check, then pdctl down and pdctl up"],
  "bad-request": () => ["mend the client that sends it: the engine answers as it should"],
  "port-held": () => ["ss -ltnp shows who holds the port; another one goes into pdctl.yaml"],
};

function failing({ requests }: Verdict): string[] {
  return requests.slice(0, 3).map((id) => shellWords(["pdctl", "fail", "req", id, "--why", "it does not move"]));
}

function restartTogether({ guilty, engines, subject }: Verdict, before: string): string {
  const named = guilty === undefined ? engines : [guilty];
  const target = named.length > 0 ? named : engineOf(subject);
  return before + shellWords(["pdctl", "restart", "--co", ...(target.length > 0 ? target : ["--all"])]);
}

function engineCommand(words: readonly string[], verdict: Verdict, flags: readonly string[] = []): string {
  const name = verdict.guilty ?? engineOf(verdict.subject)[0] ?? verdict.engines[0];
  return shellWords(["pdctl", ...words, ...(name === undefined ? [] : [name]), ...flags]);
}

function engineOf(subject: string): string[] {
  const parts = subjectParts(subject);
  if (parts?.kind === "engine") return [parts.name];
  return parts?.kind === "router" ? ["router"] : [];
}
