/** What is unknown is a dash, never a zero. */
export const dash = "–";

/** A duration in at most six characters: "12ms", "4.2s", "42s", "2m05s", "3h20m", "5d02h". */
export function shortSeconds(seconds: number | undefined): string {
  if (seconds === undefined) return dash;
  if (seconds < 0.9995) return `${Math.max(0, Math.round(seconds * 1_000))}ms`;
  if (seconds < 9.95) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)}m${twoDigits(whole % 60)}s`;
  if (whole < 86_400) return `${Math.floor(whole / 3_600)}h${twoDigits(Math.floor((whole % 3_600) / 60))}m`;
  return `${Math.floor(whole / 86_400)}d${twoDigits(Math.floor((whole % 86_400) / 3_600))}h`;
}

export function shortMs(ms: number | undefined): string {
  return shortSeconds(ms === undefined ? undefined : ms / 1_000);
}

/** A number in at most five characters: "0", "7.5", "120", "12.3k", "4.0M". */
export function shortNumber(value: number | undefined): string {
  return value === undefined ? dash : scaled(value, 1_000, ["", "k", "M", "G", "T"]);
}

/** Bytes by powers of 1,024, in at most six characters: "512B", "3.0K", "1.5G". */
export function shortBytes(bytes: number | undefined): string {
  return bytes === undefined ? dash : scaled(bytes, 1_024, ["B", "K", "M", "G", "T"]);
}

export function shortPercent(share: number | undefined): string {
  return share === undefined ? dash : `${Math.round(share * 100)}%`;
}

function scaled(value: number, step: number, units: readonly string[]): string {
  let unit = 0;
  let scaledValue = value;
  // What would be rounded up to a step is one.
  while (scaledValue >= step - 0.5 && unit < units.length - 1) {
    scaledValue /= step;
    unit++;
  }
  const whole = Number.isInteger(scaledValue) && unit === 0;
  return `${whole || scaledValue >= 100 ? Math.round(scaledValue) : scaledValue.toFixed(1)}${units[unit]}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
