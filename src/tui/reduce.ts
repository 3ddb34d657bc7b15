import type { LiveView } from "../contract/events.ts";
import type { RequestView } from "../contract/request-view.ts";
import type { Command } from "./keys.ts";
import { type Meter, measure } from "./rates.ts";
import { nextSortKey, sorted } from "./sorting.ts";
import { type Arrived, firstState, type Moment, silenceMs, type TopEvent, type TopState } from "./state.ts";

const pageRows = 10;

/** The screen with its first view. */
export function begun(view: LiveView, now: Moment): TopState {
  return firstState(view, now, meters(new Map(), { view, atMs: now.nowMs }));
}

/** The one place where the state of the screen changes. */
export function reduce(state: TopState, event: TopEvent): TopState {
  switch (event.kind) {
    case "clock":
      return { ...state, now: event.now };
    case "view":
      return arrived({ ...state, now: event.now }, { view: event.view, atMs: event.now.nowMs });
    case "command":
      return commanded(state, event.command);
  }
}

/** The live requests in the order of the screen. */
export function listed({ shown, sort }: TopState): RequestView[] {
  return sorted(shown.view.requests, sort);
}

function arrived(state: TopState, next: Arrived): TopState {
  const gapMs = next.atMs - (state.held ?? state.shown).atMs;
  const measured = {
    ...state,
    meters: meters(state.meters, next),
    // A silence is no pace.
    paceMs: silenceMs(state) === undefined ? gapMs : state.paceMs,
  };
  return state.paused ? { ...measured, held: next } : show(measured, next);
}

function show({ held: _, ...state }: TopState, shown: Arrived): TopState {
  return followed({ ...state, shown });
}

// Engines that are gone take their meters with them.
function meters(before: ReadonlyMap<string, Meter>, { view, atMs }: Arrived): ReadonlyMap<string, Meter> {
  return new Map(view.fleet.engines.map((engine) => [engine.name, measure(before.get(engine.name), engine, atMs)]));
}

function commanded(state: TopState, command: Command): TopState {
  switch (command) {
    case "quit":
    case "interrupt":
      return state;
    case "redraw":
      return { ...state };
    case "help":
      return { ...state, help: !state.help };
    case "sort":
      return followed({ ...state, sort: nextSortKey(state.sort) });
    case "pause":
      return state.held === undefined
        ? { ...state, paused: !state.paused }
        : show({ ...state, paused: false }, state.held);
    case "up":
      return moved(state, state.cursor.at - 1);
    case "down":
      return moved(state, state.cursor.at + 1);
    case "page-up":
      return moved(state, state.cursor.at - pageRows);
    case "page-down":
      return moved(state, state.cursor.at + pageRows);
    case "first":
      return moved(state, 0);
    case "last":
      return moved(state, Number.MAX_SAFE_INTEGER);
  }
}

// At the top the cursor stays with the place, so that whatever is first is seen; elsewhere it stays with its request.
function moved(state: TopState, wanted: number): TopState {
  const requests = listed(state);
  const at = Math.max(0, Math.min(wanted, requests.length - 1));
  const id = at === 0 ? undefined : requests[at]?.id;
  return { ...state, cursor: { at, ...(id === undefined ? {} : { id }) } };
}

function followed(state: TopState): TopState {
  const { at, id } = state.cursor;
  const found = id === undefined ? -1 : listed(state).findIndex((request) => request.id === id);
  return found < 0 ? moved(state, at) : { ...state, cursor: { at: found, id: id ?? "" } };
}
