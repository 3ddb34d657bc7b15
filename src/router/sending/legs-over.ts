import { headerNames } from "../../contract/openai.ts";
import { askJson } from "../../lib/http-json.ts";
import { limited, until } from "../../lib/wait.ts";
import { enginesOf } from "../edges/edge.ts";
import type { Engine } from "../edges/engine.ts";
import type { Letter, OldAttempt } from "../exchange/exchange-options.ts";

export type LegsOverOptions = {
  readonly secret: string | undefined;
  /** Ends the asking: nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly why: string;
};

/** Waits until nothing of an attempt is left on its engines; false when the signal ends that first. Never rejects. */
export async function legsOver({ edge, letter }: OldAttempt, options: LegsOverOptions): Promise<boolean> {
  const over = await Promise.all(enginesOf(edge).map(async (engine) => legOver(engine, letter, options)));
  return over.every(Boolean);
}

async function legOver(engine: Engine, letter: Letter, options: LegsOverOptions): Promise<boolean> {
  // An engine that was replaced has ended, and all that was on it.
  const asking = AbortSignal.any([options.signal, engine.gone]);
  const ask = async (): Promise<true | undefined> =>
    (await isOver(engine, letter, { ...options, signal: asking })) ? true : undefined;
  try {
    return (await until(ask, { everyMs: askEveryMs, limitMs: Number.POSITIVE_INFINITY, signal: asking })) ?? false;
  } catch (error) {
    if (asking.aborted) return engine.gone.aborted;
    throw error;
  }
}

async function isOver(engine: Engine, letter: Letter, { secret, signal, why }: LegsOverOptions): Promise<boolean> {
  const headers = secret === undefined ? {} : { [headerNames.secret]: secret };
  const ask = async (path: string, body?: unknown): ReturnType<typeof askJson> =>
    askJson({ url: `${engine.url}/admin/v1/requests/${path}` }, { headers, body, signal: limited(askMs, signal) });
  try {
    const { status } = await ask(`${letter.id}/fail`, { why });
    engine.reach.answered();
    if (status === 404) {
      // It may still be on its way to the engine: then its room is closed to it.
      if (letter.room === undefined) return true;
      return (await ask(`${letter.room}/fail`, { why })).status === 200;
    }
    return status === 200 && isEnded((await ask(letter.id)).body);
  } catch (error) {
    // Where nobody listens no leg can be.
    return error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
  }
}

function isEnded(record: unknown): boolean {
  return typeof record === "object" && record !== null && "live" in record && record.live === false;
}

// A stopped loop answers late or not at all; the next question may find another engine there.
const askMs = 2_000;
const askEveryMs = 50;
