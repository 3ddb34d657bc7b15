// What takes two columns of a terminal: the scripts of East Asia in their full width, and pictures.
const wide =
  /^(?:[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Yi}\u3000-\u303E\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation})/u;
const halfWidth = /^[\uFF61-\uFFDC]/u;
const noWidth = /^[\p{M}\p{Cf}]+$/u;
// ASCII and the signs of the screen itself: nearly all that is ever measured, one column each.
const plain = /^[ -~–…→↓↑▸✓✗]*$/;
const graphemes = new Intl.Segmenter();

/** Text from elsewhere, with nothing in it that moves the cursor, turns the line or joins pictures. */
export function clean(text: string): string {
  return plain.test(text) ? text : text.replace(/\p{Cc}/gu, " ").replace(/\p{Cf}|\uFE0F/gu, "");
}

/** How many columns the text takes. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += columnsOf(segment);
  return width;
}

/** The text in at most that many columns; what is cut away leaves an ellipsis. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns <= 0) return "";
  let [kept, width] = ["", 0];
  for (const { segment } of graphemes.segment(text)) {
    if (width + columnsOf(segment) > columns - 1) break;
    kept += segment;
    width += columnsOf(segment);
  }
  return `${kept}…`;
}

/** The text in exactly that many columns. */
export function padded(text: string, columns: number, align: "left" | "right" = "left"): string {
  const shown = cut(text, columns);
  const space = " ".repeat(Math.max(0, columns - widthOf(shown)));
  return align === "left" ? shown + space : space + shown;
}

function columnsOf(segment: string): number {
  if (noWidth.test(segment)) return 0;
  return wide.test(segment) && !halfWidth.test(segment) ? 2 : 1;
}
