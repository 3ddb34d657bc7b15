type Value = string | number | boolean | readonly string[] | undefined;

/** Flags of a command from named values: `socketDir` becomes --socket-dir; true is a bare flag, false none. */
export function flagsOf(values: Readonly<Record<string, Value>>): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const flag = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === undefined || value === false) return [];
    if (value === true) return [flag];
    return (typeof value === "object" ? value : [String(value)]).flatMap((one) => [flag, one]);
  });
}
