import { cut, widthOf } from "./cells.ts";

/** How a piece of text looks. No tone carries a meaning alone: a symbol or a word says the same. */
export type Tone = "plain" | "dim" | "strong" | "good" | "warn" | "bad" | "chosen";
export type Span = { readonly text: string; readonly tone: Tone };
/** One row of the screen. */
export type Line = readonly Span[];

// The sixteen colours that every terminal has, so that they follow its own palette.
const codes: Record<Tone, string> = {
  plain: "",
  dim: "2",
  strong: "1",
  good: "32",
  warn: "33",
  bad: "1;31",
  chosen: "7",
};

export function span(text: string, tone: Tone = "plain"): Span {
  return { text, tone };
}

/** The row as a terminal takes it, in at most that many columns. */
export function painted(
  line: Line,
  { columns, colour }: { readonly columns: number; readonly colour: boolean },
): string {
  return within(line, columns)
    .map(({ text, tone }) => (colour && codes[tone] !== "" ? `\u001B[${codes[tone]}m${text}\u001B[0m` : text))
    .join("");
}

/** The row in one tone. */
export function toned(line: Line, tone: Tone): Line {
  return line.map(({ text }) => ({ text, tone }));
}

function within(line: Line, columns: number): Line {
  const kept: Span[] = [];
  let left = columns;
  for (const one of line) {
    if (left <= 0) break;
    kept.push({ ...one, text: cut(one.text, left) });
    left -= widthOf(one.text);
  }
  return kept;
}
