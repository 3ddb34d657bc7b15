const nameWidth = 10;

/** "Name       value" lines; a value of several lines is indented below its name, an absent one left out. */
export function factLines(facts: readonly (readonly [string, string | readonly string[] | undefined])[]): string {
  return facts
    .flatMap(([name, value]) => {
      const lines = value === undefined ? [] : typeof value === "string" ? [value] : value;
      return lines.map((line, index) => `${(index === 0 ? name : "").padEnd(nameWidth)} ${line}\n`);
    })
    .join("");
}
