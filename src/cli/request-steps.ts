import type { RequestDetail } from "../contract/request-view.ts";
import { shownMs } from "./quantities.ts";
import { table } from "./table.ts";

type Step = { readonly unixMs: number; readonly who: string; readonly what: string; readonly endedMs?: number };

/** What router, prefill and decode have on record of one request, in the order in which it happened; "" without any. */
export function stepsTable(detail: RequestDetail): string {
  const steps = [...routerSteps(detail), ...legSteps(detail)].sort((a, b) => a.unixMs - b.unixMs);
  const first = steps[0];
  if (first === undefined) return "";
  return table(
    ["AT", "WHO", "WHAT", "TOOK"],
    steps.map(({ unixMs, who, what, endedMs }) => [
      `+${shownMs(unixMs - first.unixMs)}`,
      who,
      what,
      endedMs === undefined ? "" : shownMs(Math.max(0, endedMs - unixMs)),
    ]),
  );
}

function routerSteps({ router }: RequestDetail): Step[] {
  if (router === undefined) return [];
  const { arrivedUnixMs, firstByteUnixMs, endedUnixMs, outcome, bytes, attempt, prefill, decode } = router;
  const again = attempt > 1 ? `, attempt ${attempt}` : "";
  return [
    {
      unixMs: arrivedUnixMs,
      who: "router",
      what: prefill === undefined ? "waits for engines" : `sent to ${prefill} and ${decode}${again}`,
    },
    ...(firstByteUnixMs === undefined
      ? []
      : [{ unixMs: firstByteUnixMs, who: "router", what: "first byte to client" }]),
    ...(endedUnixMs === undefined
      ? []
      : [{ unixMs: endedUnixMs, who: "router", what: `${outcome}, ${bytes} bytes to client` }]),
  ];
}

// In the engine's own words for its stages.
function legSteps({ legs }: RequestDetail): Step[] {
  return legs.flatMap(({ engine, record }) => {
    const { timeline, firstTokenUnixMs, pagesHeld } = record;
    const held = pagesHeld > 0 ? `, ${pagesHeld} pages held` : "";
    return [
      ...timeline.map(({ stage, beganUnixMs, endedUnixMs }, index) => ({
        unixMs: beganUnixMs,
        who: engine,
        what: stage + (index === timeline.length - 1 ? held : ""),
        ...(endedUnixMs === undefined ? {} : { endedMs: endedUnixMs }),
      })),
      ...(firstTokenUnixMs === undefined ? [] : [{ unixMs: firstTokenUnixMs, who: engine, what: "first token" }]),
    ];
  });
}
