import { expect, test } from "vitest";
import { clean, cut, padded, widthOf } from "../../../src/tui/cells.ts";

test.each([
  { text: "", columns: 0 },
  { text: "prefill-0", columns: 9 },
  { text: "é", columns: 1 },
  { text: "e\u0301", columns: 1 },
  { text: "预填", columns: 4 },
  { text: "ひらがな", columns: 8 },
  { text: "ｶﾅ", columns: 2 },
  { text: "한국", columns: 4 },
  { text: "🚀", columns: 2 },
  { text: "✓ ok", columns: 4 },
])("$text takes $columns columns", ({ text, columns }) => {
  expect(widthOf(text)).toBe(columns);
});

test.each([
  { text: "transfer-stall", columns: 14, shown: "transfer-stall" },
  { text: "transfer-stall", columns: 9, shown: "transfer…" },
  { text: "transfer-stall", columns: 1, shown: "…" },
  { text: "transfer-stall", columns: 0, shown: "" },
  { text: "预填一号", columns: 6, shown: "预填…" },
  { text: "预填一号", columns: 5, shown: "预填…" },
])("$text in $columns columns is '$shown'", ({ text, columns, shown }) => {
  expect(cut(text, columns)).toBe(shown);
});

test("a padded text fills its columns, also where a wide character does not fit into the last one", () => {
  expect(padded("预填一号", 6)).toBe("预填… ");
  expect(padded("12", 4, "right")).toBe("  12");
});

test("text from elsewhere neither moves the cursor nor turns its direction", () => {
  expect(clean("a\u001B[2Jb\nc")).toBe("a [2Jb c");
  expect(clean("a\u202Eb")).toBe("ab");
  expect(widthOf(clean("👩\u200D💻"))).toBe(4);
});
