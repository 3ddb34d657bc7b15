import { allot } from "./allot.ts";
import type { Line } from "./line.ts";
import type { TopState } from "./state.ts";
import { edgeLines } from "./views/edges.ts";
import { engineLines } from "./views/engines.ts";
import { headingLines } from "./views/heading.ts";
import { footerLine, helpLines } from "./views/help.ts";
import { incidentLines } from "./views/incidents.ts";
import { requestLines } from "./views/requests.ts";

export type Size = { readonly columns: number; readonly rows: number };

const unlimited = Number.POSITIVE_INFINITY;

/** The whole screen: never more rows than there are. */
export function frame(state: TopState, size: Size): Line[] {
  const footer = size.rows > 4 ? [footerLine()] : [];
  const heading = headingLines(state);
  const room = size.rows - footer.length - heading.length;
  const body = state.help ? helpLines() : parts(state, { columns: size.columns, rows: room });
  const filled = [...heading, ...body].slice(0, size.rows - footer.length);
  const blank: Line[] = Array.from({ length: Math.max(0, size.rows - footer.length - filled.length) }, () => []);
  return [...filled, ...blank, ...footer];
}

/** Everything that there is to show, for a pipe: no row is left out, no key is offered, no cursor stands anywhere. */
export function wholeFrame(started: TopState, columns: number): Line[] {
  const state = { ...started, cursor: { at: -1 } };
  const size = { columns, rows: unlimited };
  return [
    ...headingLines(state),
    ...incidentLines(state),
    ...engineLines(state, size),
    ...edgeLines(state, size),
  ].concat(requestLines(state, size));
}

// Requests have what the rest leaves, and a third of the room in any case: they are what wedges.
function parts(state: TopState, { columns, rows }: Size): Line[] {
  const incidents = incidentLines(state);
  const whole = { columns, rows: unlimited };
  const [wantEngines, wantEdges] = [engineLines(state, whole).length, edgeLines(state, whole).length];
  const wantRequests = state.shown.view.requests.length + 2;
  const part = (share: number): number => Math.max(2, Math.floor(rows * share));
  const [incidentRows = 0, engineRows = 0, requestRows = 0, edgeRows = 0] = allot(rows, [
    { want: incidents.length, least: part(1 / 6) },
    { want: wantEngines, least: part(1 / 3) },
    { want: wantRequests, least: part(1 / 3) },
    { want: wantEdges, least: part(1 / 6) },
  ]);
  return [
    ...incidents.slice(0, incidentRows),
    ...engineLines(state, { columns, rows: engineRows }),
    ...edgeLines(state, { columns, rows: edgeRows }),
    ...requestLines(state, { columns, rows: requestRows }),
  ];
}
