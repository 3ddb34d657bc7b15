import { stringify } from "yaml";
import type { FleetEvent } from "../contract/events.ts";

/** One event as it was asked for: a line for people, a line of JSON, or a document of YAML. */
export function eventText(event: FleetEvent, format: "table" | "json" | "yaml"): string {
  switch (format) {
    case "table":
      return `${eventLine(event)}\n`;
    case "json":
      return `${JSON.stringify(event)}\n`;
    case "yaml":
      return `---\n${stringify(event)}`;
  }
}

const marks: Readonly<Record<FleetEvent["severity"], string>> = {
  ok: "",
  warning: "WARNING",
  critical: "CRITICAL",
  unknown: "UNKNOWN",
};

// "2026-01-01T10:00:00.000Z  WARNING   decode      suspect (no-progress): ..."
function eventLine({ at, severity, subject, words }: FleetEvent): string {
  return `${at}  ${marks[severity].padEnd(8)}  ${subject.padEnd(14)}  ${words}`;
}
