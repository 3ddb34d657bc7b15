import { z } from "zod";

// What a person may ask of the daemon: the bodies of the POST routes. Each is answered 202 {action}, or refused.

/** Of a reason, in characters. */
export const whyMax = 1_000;

const whySchema = z.string().min(1, "expected a reason").max(whyMax);

/** POST /v1/requests/{id}/fail. */
export const failWishSchema = z.strictObject({ why: whySchema });

/**
 * POST /v1/engines/{name}/restart and /v1/fleet/restart. `co` restarts the engine's closed set together with
 * `engines`; `all` the whole fleet (of the fleet's route one of the two is needed). `force` goes beyond the budget.
 */
export const restartWishSchema = z.strictObject({
  co: z.boolean().default(false),
  all: z.boolean().default(false),
  engines: z.array(z.string().min(1)).max(64).default([]),
  why: whySchema.optional(),
  force: z.boolean().default(false),
});

/** POST /v1/engines/{name}/drain. `force` also where no other engine of its role would take requests. */
export const drainWishSchema = z.strictObject({
  drainMs: z.number().int().min(0).max(86_400_000).default(30_000),
  force: z.boolean().default(false),
});

/** POST /v1/engines/{name}/resume. */
export const resumeWishSchema = z.strictObject({});

/** The answer to every wish: the action that carries it out, for GET /v1/actions/{id}. */
export const wishAnswerSchema = z.object({ action: z.string() });

/** A wish as the loop takes it; the healer makes an Action of it, or says why not. */
export type Wish =
  | { readonly kind: "fail"; readonly request: string; readonly why: string }
  | { readonly kind: "restart"; readonly engine: string; readonly why?: string; readonly force: boolean }
  | {
      readonly kind: "co-restart";
      /** Those named; ignored where `all` is asked for. */
      readonly engines: readonly string[];
      readonly all: boolean;
      readonly why?: string;
      readonly force: boolean;
    }
  | { readonly kind: "drain"; readonly engine: string; readonly drainMs: number; readonly force: boolean }
  | { readonly kind: "resume"; readonly engine: string }
  | { readonly kind: "stop"; readonly drainMs: number; readonly now: boolean };

export type FailWish = z.input<typeof failWishSchema>;
export type RestartWish = z.input<typeof restartWishSchema>;
export type DrainWish = z.input<typeof drainWishSchema>;
export type WishAnswer = z.infer<typeof wishAnswerSchema>;
