import type { ProcessView } from "../contract/fleet.ts";

/** What an engine's counters stood at, and how fast they moved; a rate that is absent is unknown. */
export type Meter = {
  readonly generation: number;
  /** When the sample was taken, on the monotonic clock. */
  readonly atMs: number;
  readonly tokens?: number;
  readonly bytes?: number;
  readonly tokensPerS?: number;
  readonly bytesPerS?: number;
};

// A sample that is shown twice has moved by the jitter of its age only.
const stepMsMin = 200;

/** The meter after one more view of the engine. Counters of an earlier generation say nothing of this one. */
export function measure(before: Meter | undefined, engine: ProcessView, nowMs: number): Meter {
  const atMs = nowMs - (engine.sampleAgeS ?? 0) * 1_000;
  const known = before?.generation === engine.generation ? before : undefined;
  if (known !== undefined && atMs - known.atMs < stepMsMin) return known;
  const [tokens, bytes] = [tokensOf(engine), engine.load?.transfer_bytes_total];
  const seconds = known === undefined ? 0 : (atMs - known.atMs) / 1_000;
  return {
    generation: engine.generation,
    atMs,
    ...(tokens === undefined ? {} : { tokens }),
    ...(bytes === undefined ? {} : { bytes }),
    ...rate("tokensPerS", known?.tokens, tokens, seconds),
    ...rate("bytesPerS", known?.bytes, bytes, seconds),
  };
}

function rate(name: "tokensPerS" | "bytesPerS", before: number | undefined, now: number | undefined, seconds: number) {
  if (before === undefined || now === undefined || now < before || seconds <= 0) return {};
  return { [name]: (now - before) / seconds };
}

// Of the work that the engine's role is there for.
function tokensOf({ role, load }: ProcessView): number | undefined {
  return role === "prefill" ? load?.prompt_tokens_total : load?.generated_tokens_total;
}
