import { z } from "zod";
import { type Action, type Outcome, outcomeSchema } from "../../contract/action.ts";
import type { FleetEvent } from "../../contract/events.ts";
import { incidentSchema } from "../../contract/incident.ts";
import type { Observation } from "../../contract/observation.ts";
import { subjectSchema, type Verdict } from "../../contract/verdict.ts";

/** An incident with what deciding about it takes, beyond what people are shown. */
export const keptIncidentSchema = incidentSchema.extend({
  subject: subjectSchema,
  /** Its own subject, and those that turned out to be the same trouble. */
  subjects: z.array(subjectSchema),
  engines: z.array(z.string()),
  /** Milliseconds on the monotonic clock: when its evidence began. */
  sinceMs: z.number(),
  actions: z.array(incidentSchema.shape.actions.element.extend({ outcome: outcomeSchema.optional() })),
});

/** What one tick leaves in the journal. Only what is new. */
export type Page = {
  readonly nowMs: number;
  readonly wallMs: number;
  readonly events: readonly FleetEvent[];
  readonly seen: readonly Observation[];
  readonly verdicts: readonly Verdict[];
  readonly actions: readonly Action[];
  readonly outcomes: readonly Outcome[];
  readonly incidents: readonly KeptIncident[];
  /** By name; each replaces the one before. */
  readonly kept: Readonly<Record<string, string>>;
};

/** An action of before, with its time on the monotonic clock of now. */
export type PastAction = { readonly atMs: number; readonly action: Action; readonly outcome?: Outcome };

/** What a daemon that starts finds in the journal. */
export type Remembered = {
  readonly incidents: readonly KeptIncident[];
  /** In the order that they were planned in. */
  readonly actions: readonly PastAction[];
  readonly events: readonly FleetEvent[];
  /** How many were ever written. */
  readonly counts: { readonly events: number; readonly incidents: number };
  readonly kept: Readonly<Record<string, string>>;
};

export type KeptIncident = z.infer<typeof keptIncidentSchema>;
