import { z } from "zod";
import type { ActionView, Outcome } from "../contract/action.ts";
import type { FleetConfig } from "../contract/config.ts";
import { emptyLedger, type Ledger } from "./healer/ledger.ts";
import { note } from "./healer/note.ts";
import type { IncidentBook } from "./incident-book.ts";
import type { Remembered } from "./journal/page.ts";
import type { FleetState } from "./state.ts";

export type Recalled = {
  readonly ledger: Ledger;
  readonly book: IncidentBook;
  readonly actions: readonly ActionView[];
  readonly restricted: FleetState["restricted"];
  /** Of actions that nobody knows the end of. */
  readonly unknown: readonly Outcome[];
};

export type RecallParts = {
  readonly remembered: Remembered;
  /** Why nothing could be read of what was there, where that is so. */
  readonly unread: string | undefined;
  /** Actions that the supervisor goes on with, or tells the end of itself. */
  readonly goingOn: readonly string[];
  readonly config: FleetConfig;
  readonly bootId: string;
  readonly nowMs: number;
  readonly wallMs: number;
};

const restrictedSchema = z.object({ words: z.string(), untilWallMs: z.number() });

/** What the daemons before this one have left for it to know. */
export function recalled(parts: RecallParts): Recalled {
  const { remembered, nowMs } = parts;
  const unknown = remembered.actions
    .filter(({ action, outcome }) => outcome === undefined && !parts.goingOn.includes(action.id))
    .map(({ action }): Outcome => {
      const words = "the daemon ended while it was open; what came of it is looked at afresh";
      return { actionId: action.id, outcome: "unknown", atMs: nowMs, words, details: [] };
    });
  const open = remembered.incidents.filter(({ ended }) => ended === undefined);
  const ended = remembered.incidents.filter((one) => one.ended !== undefined).toReversed();
  return {
    ledger: note(ledgerOf(parts), { verdicts: [], actions: [], outcomes: unknown, nowMs }),
    book: { opened: remembered.counts.incidents, open, ended },
    actions: remembered.actions.map(({ action, outcome }) => ({
      action,
      ...(outcome === undefined ? {} : { outcome }),
    })),
    restricted: restrictedBy(parts),
    unknown,
  };
}

// Of this run of the machine it is taken as it was: after another one its times mean nothing, but no id comes twice.
function ledgerOf({ remembered: { kept, actions }, bootId }: RecallParts): Ledger {
  const empty = emptyLedger();
  const text = kept["ledger"];
  const kept_ = text === undefined || kept["boot"] !== bootId ? {} : (JSON.parse(text) as Partial<Ledger>);
  const known = { ...empty, ...kept_ };
  const planned = Math.max(known.planned, ...actions.map(({ action }) => Number(action.id.replace(/^a/, "")) || 0));
  return { ...known, planned };
}

// Without what was done before nobody knows how much of the budget is left: so it counts as used up.
function restrictedBy({ unread, remembered, config, nowMs, wallMs }: RecallParts): FleetState["restricted"] {
  const windowMs = config.policy["co-restarts"].window;
  if (unread !== undefined) {
    const words = `only fail is allowed for ${Math.round(windowMs / 60_000)} min: ${unread}`;
    return { words, untilMs: nowMs + windowMs };
  }
  const text = remembered.kept["restricted"];
  const found = text === undefined ? undefined : restrictedSchema.safeParse(JSON.parse(text)).data;
  if (found === undefined || found.untilWallMs <= wallMs) return undefined;
  return { words: found.words, untilMs: nowMs + Math.min(windowMs, found.untilWallMs - wallMs) };
}
