import { stringify } from "yaml";

export type OutputFormat = "table" | "wide" | "json" | "yaml";

/** Data in the format asked for; `people` makes the table and the wide table. */
export function formatted(data: unknown, format: OutputFormat, people: (wide: boolean) => string): string {
  switch (format) {
    case "json":
      return `${JSON.stringify(data, null, 2)}\n`;
    case "yaml":
      return stringify(data);
    case "table":
      return people(false);
    case "wide":
      return people(true);
  }
}
