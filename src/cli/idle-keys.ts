const idleKeys: readonly string[] = ["notify"];

/** Says which keys of the configuration change nothing yet, if any. */
export function idleKeysWords(keys: readonly string[]): string[] {
  const idle = keys.filter((key) => idleKeys.includes(key));
  return idle.length === 0 ? [] : [`config     this version does not act yet on: ${idle.join(", ")}`];
}
