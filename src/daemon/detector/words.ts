import type { ExitLine } from "../../contract/observation.ts";

/** Whole numbers with commas, so that bytes can be read. */
export function number(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** Seconds, with one decimal below ten. */
export function seconds(ms: number): string {
  const rounded = ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1_000);
  return `${rounded} s`;
}

/** "once", "3 times". */
export function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

/** "with exit code 137", "by SIGKILL". */
export function endWords({ code, signal }: Pick<ExitLine, "code" | "signal">): string {
  if (signal !== undefined) return `by ${signal}`;
  return code === undefined ? "and nobody saw how" : `with exit code ${code}`;
}

/** "1.2 MB/s": how fast something moved. */
export function rate({ by, overMs }: { readonly by: number; readonly overMs: number }): string | undefined {
  if (overMs <= 0) return undefined;
  const perSecond = (by * 1_000) / overMs;
  const [unit, size] = perSecond >= 1e9 ? ["GB/s", 1e9] : perSecond >= 1e6 ? ["MB/s", 1e6] : ["kB/s", 1e3];
  const value = perSecond / size;
  return `${value >= 100 ? Math.round(value) : Math.round(value * 10) / 10} ${unit}`;
}
