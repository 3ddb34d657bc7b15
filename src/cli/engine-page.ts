import type { EngineDetail } from "../contract/engine-detail.ts";
import { factLines } from "./fact-lines.ts";
import { incidentsTable } from "./fleet-page.ts";
import { shownBytes, shownMs } from "./quantities.ts";
import { verdictPage, verdictText } from "./verdict-words.ts";

/** One engine for people: what it is, what its latest sample holds, what is said of it. */
export function enginePage(engine: EngineDetail, { nowMs }: { readonly nowMs: number }): string {
  return [
    factLines(facts(engine)),
    ...engine.verdicts.map((verdict) => verdictPage(verdict, { nowMs })),
    incidentsTable(engine.incidents),
  ].join("\n");
}

function facts(engine: EngineDetail): [string, string | undefined][] {
  const { load = {}, verdict, cause, bootstrapPort, restarts, sampleAgeS } = engine;
  const inflight =
    load.inflight_oldest_s === undefined ? "" : `, the oldest for ${shownMs(load.inflight_oldest_s * 1_000)}`;
  return [
    ["Engine", `${engine.name}, ${engine.role}, ${engine.driver}`],
    ["State", engine.failure === undefined ? engine.state : `${engine.state}: ${engine.failure}`],
    ["Verdict", verdictText(verdict, cause)],
    ["Process", engine.pid === undefined ? undefined : `${engine.pid}, generation ${engine.generation}`],
    ["Restarts", restarts === undefined ? undefined : `${restarts} since it was last stable`],
    ["URL", engine.url],
    ["Bootstrap", bootstrapPort === undefined ? undefined : `port ${bootstrapPort}`],
    ["Log", engine.logFile],
    ["Sample", sampleAgeS === undefined ? "none" : `${shownMs(sampleAgeS * 1_000)} old`],
    ["Queues", counts({ bootstrap: load.bootstrap_queue, waiting: load.waiting, prealloc: load.prealloc_queue })],
    ["Running", counts({ running: load.running, transfer: load.transfer_queue })],
    ["Inflight", load.inflight === undefined ? undefined : `${load.inflight}${inflight}`],
    ["KV", load.kv_usage === undefined ? undefined : `${Math.round(load.kv_usage * 100)} % of the pool`],
    ["Tokens", counts({ prompt: load.prompt_tokens_total, generated: load.generated_tokens_total })],
    ["Moved", load.transfer_bytes_total === undefined ? undefined : shownBytes(load.transfer_bytes_total)],
    ["Loop", load.loop_age_s === undefined ? undefined : `last step ${shownMs(load.loop_age_s * 1_000)} ago`],
    ["CPU", load.cpu_seconds_total === undefined ? undefined : `${load.cpu_seconds_total.toFixed(1)} s`],
    ["Memory", load.rss_bytes === undefined ? undefined : shownBytes(load.rss_bytes)],
  ];
}

// What is unknown is left out, never zero.
function counts(named: Readonly<Record<string, number | undefined>>): string | undefined {
  const known = Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
  return known.length === 0 ? undefined : known.join(", ");
}
