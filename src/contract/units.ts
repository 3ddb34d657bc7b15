import { z } from "zod";

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const unitBytes = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

const durationPattern = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;
const sizePattern = /^(\d+(?:\.\d+)?)(KiB|MiB|GiB)$/;
const sizeRule = 'must be a size in KiB, MiB or GiB, such as "512MiB"';
const durationRule = 'must be a duration in ms, s, m or h, such as "250ms", "60s" or "10m"';
// The longest time that a timer of Node counts is not quite 597 hours.
export const durationMaxMs = 500 * unitMs.h;
const durationMaxRule = "must be at most 500h";
const rangePattern = /^(\d+(?:\.\d+)?(?:ms|s|m|h))\.\.(\d+(?:\.\d+)?(?:ms|s|m|h))$/;

/** Milliseconds of "250ms", "60s", "10m", "2h"; undefined for anything else. */
export function durationMs(text: string): number | undefined {
  const match = durationPattern.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * unitMs[match[2] as keyof typeof unitMs];
}

/** Bytes of "512KiB", "256MiB", "1GiB"; undefined for anything else. */
export function sizeBytes(text: string): number | undefined {
  const match = sizePattern.exec(text);
  if (match === null) return undefined;
  return Math.round(Number(match[1]) * unitBytes[match[2] as keyof typeof unitBytes]);
}

/** The duration as pdctl.yaml and flags spell it: whole seconds as such, anything finer in milliseconds. */
export function durationText(ms: number): string {
  return ms % 1_000 === 0 ? `${ms / 1_000}s` : `${Math.round(ms)}ms`;
}

/** The size as pdctl.yaml and flags spell it. */
export function sizeText(bytes: number): string {
  return bytes % unitBytes.MiB === 0 ? `${bytes / unitBytes.MiB}MiB` : `${bytes / unitBytes.KiB}KiB`;
}

/** A duration in YAML; milliseconds once parsed. */
export const durationSchema = z
  .string({ error: durationRule })
  .regex(durationPattern, durationRule)
  .refine((text) => (durationMs(text) ?? 0) <= durationMaxMs, durationMaxRule)
  .transform((text) => durationMs(text) ?? Number.NaN);

/** A size in YAML; bytes once parsed. */
export const sizeSchema = z
  .string({ error: sizeRule })
  .regex(sizePattern, sizeRule)
  .transform((text) => sizeBytes(text) ?? Number.NaN);

/** "1s..60s" in YAML; both ends in milliseconds once parsed. */
export const durationRangeSchema = z
  .string({ error: 'must be a range such as "1s..60s"' })
  .regex(rangePattern, 'must be a range such as "1s..60s"')
  .transform((text) => {
    const [from = "", to = ""] = text.split("..");
    return { fromMs: durationMs(from) ?? Number.NaN, toMs: durationMs(to) ?? Number.NaN };
  });
