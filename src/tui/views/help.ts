import { padded } from "../cells.ts";
import { keyWords } from "../keys.ts";
import { type Line, span } from "../line.ts";

/** What the keys do and what the signs mean. */
export function helpLines(): Line[] {
  return [
    [span("KEYS", "dim")],
    ...keyWords.map(([keys, words]) => [span(`  ${padded(keys, 14)}`, "strong"), span(words)]),
    [span("SIGNS", "dim")],
    [span("  ✓", "good"), span(" well   "), span("!", "warn"), span(" worth a look   "), span("✗", "bad")].concat(
      span(" broken   "),
      span("?", "dim"),
      span(" unknown   – no figure"),
    ),
    [span("MORE", "dim")],
    [span("  pdctl inspect req ID, pdctl inspect engine NAME, pdctl events --follow")],
  ];
}

/** The last row: the keys in short. */
export function footerLine(): Line {
  return [span("q quit  ? help  j/k move  o sort  p hold", "dim")];
}
