import type { EngineLoad, FleetView, ProcessView } from "../../contract/fleet.ts";
import { clean } from "../cells.ts";
import { aligned, type Place } from "../grid.ts";
import { type Line, type Span, span } from "../line.ts";
import { shortBytes, shortNumber, shortPercent, shortSeconds } from "../short.ts";
import type { TopState } from "../state.ts";
import { verdictSpan, worstFirst } from "../tone.ts";

type Group = {
  readonly heading: string;
  readonly roles: readonly ProcessView["role"][];
  readonly queues: readonly (readonly [heading: string, cell: (load: EngineLoad) => string])[];
};

const groups: readonly Group[] = [
  {
    heading: "PREFILL",
    roles: ["prefill"],
    queues: [
      ["BOOT", (load) => shortNumber(load.bootstrap_queue)],
      ["WAIT", (load) => shortNumber(load.waiting)],
      ["RUN", (load) => shortNumber(load.running)],
      ["INFL", (load) => shortNumber(load.inflight)],
      ["OLDEST", (load) => shortSeconds(load.inflight_oldest_s)],
    ],
  },
  {
    heading: "DECODE",
    roles: ["decode", "both"],
    queues: [
      ["PRE", (load) => shortNumber(load.prealloc_queue)],
      ["XFER", (load) => shortNumber(load.transfer_queue)],
      ["WAIT", (load) => shortNumber(load.waiting)],
      ["RUN", (load) => shortNumber(load.running)],
    ],
  },
];

const right = { align: "right", leaves: 0 } as const;
// Name, state, generation, verdict; five queues; KV, tokens, bytes; why it failed.
const places: readonly Place[] = [
  { columnsMin: 8, shrinkTo: 8, leaves: 0 },
  { columnsMin: 8, shrinkTo: 5, leaves: 0 },
  { ...right, leaves: 4 },
  { columnsMin: 10, shrinkTo: 10, leaves: 0 },
  ...Array.from({ length: 4 }, () => ({ ...right, columnsMin: 4 })),
  { ...right, columnsMin: 6 },
  { ...right, columnsMin: 4, leaves: 1 },
  { ...right, columnsMin: 6, leaves: 2 },
  { ...right, columnsMin: 7, leaves: 3 },
  { shrinkTo: 12, leaves: 5 },
];
const queuesMax = 5;

/** The engines, a group a role, and the router; those that fare worst where there is no room for all. */
export function engineLines(state: TopState, { columns, rows }: { columns: number; rows: number }): Line[] {
  const { engines, router } = state.shown.view.fleet;
  const all = [...engines, router];
  const whole = rowsOf(all, state);
  if (whole.length <= rows) return aligned(places, whole, columns);
  // The rows of headings stay, as far as anyone is left to stand under them.
  const kept = worstFirst(all).slice(0, Math.max(0, all.length - (whole.length - rows) - 1));
  const rest: Line = [span(`… ${all.length - kept.length} more`, "dim")];
  return [...aligned(places, rowsOf(kept, state), columns), rest].slice(0, rows);
}

function rowsOf(processes: readonly ProcessView[], { meters, shown }: TopState): (readonly Span[])[] {
  const engines = groups.flatMap(({ heading, roles, queues }) => {
    const members = processes.filter(({ role }) => roles.includes(role));
    if (members.length === 0) return [];
    const headings = row(heading, [...filled(queues.map(([name]) => name)), "KV", "TOK/S", "BYTES/S"]);
    return [
      headings,
      ...members.map((one) => [
        ...identity(one),
        ...filled(queues.map(([, cell]) => cell(one.load ?? {}))).map((text) => span(text)),
        span(shortPercent(one.load?.kv_usage)),
        span(shortNumber(meters.get(one.name)?.tokensPerS)),
        span(shortBytes(meters.get(one.name)?.bytesPerS)),
        span(clean(one.failure ?? ""), "warn"),
      ]),
    ];
  });
  const routers = processes.filter(({ role }) => role === "router");
  if (routers.length === 0) return engines;
  const open = shortNumber(openOf(shown.view.fleet));
  return [...engines, row("ROUTER", ["OPEN"]), ...routers.map((one) => [...identity(one), span(open)])];
}

function row(heading: string, more: readonly string[]): Span[] {
  return [heading, "STATE", "GEN", "VERDICT", ...more].map((text) => span(text, "dim"));
}

function identity(one: ProcessView): Span[] {
  return [span(clean(one.name)), span(one.state), span(String(one.generation)), verdictSpan(one)];
}

// So that the same column means the same in every group.
function filled(queues: readonly string[]): string[] {
  return [...queues, ...Array.from({ length: queuesMax - queues.length }, () => "")];
}

function openOf({ edges }: FleetView): number | undefined {
  const known = edges.flatMap(({ open }) => (open === undefined ? [] : [open]));
  return known.length === 0 ? undefined : known.reduce((sum, one) => sum + one, 0);
}
