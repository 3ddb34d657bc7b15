import { expect, test } from "vitest";
import { parseExactJson, writeExactJson } from "../../../src/lib/exact-json.ts";

test.each([
  { text: '{"room":9223372036854775807}', value: { room: 9223372036854775807n } },
  { text: '{"room":-9007199254740993}', value: { room: -9007199254740993n } },
  {
    text: '{"room":9007199254740991,"f":1.2345678901234567}',
    value: { room: 9007199254740991, f: 1.2345678901234567 },
  },
  {
    text: '[[12345678901234567890,1],{"b":-12345678901234567890}]',
    value: [[12345678901234567890n, 1], { b: -12345678901234567890n }],
  },
  {
    text: '["\\"12345678901234567890,",12345678901234567890 ]',
    value: ['"12345678901234567890,', 12345678901234567890n],
  },
  {
    text: "[0.1234567890123456,1e-12345678901234567,1234567890123456.5]",
    value: [0.1234567890123456, 0, 1234567890123456.5],
  },
  { text: '["12345678901234567890",1e300]', value: ["12345678901234567890", 1e300] },
])("$text is read exactly, and written as it was", ({ text, value }) => {
  const parsed = parseExactJson(text);
  expect(parsed).toEqual({ kind: "json", value });
  if (parsed.kind === "json") expect(JSON.parse(writeExactJson(parsed.value))).toEqual(JSON.parse(text));
});

test.each([
  { text: "", words: "at line 1, column 1 the text ends where a value was expected" },
  { text: '{"a":1,}', words: 'at line 1, column 8 there is "}" where a name in double quotes was expected' },
  { text: '{"a" 1}', words: 'at line 1, column 6 there is "1}" where : was expected' },
  { text: '{\n "a": nul}', words: 'at line 2, column 7 there is "nul}" where a value was expected' },
  { text: "[1 2]", words: 'at line 1, column 4 there is "2]" where , or ] was expected' },
  {
    text: "{12345678901234567:1}",
    words: 'at line 1, column 2 there is "123456789012" where a name in double quotes or } was expected',
  },
  {
    text: "{12345678901234567 :1}",
    words: 'at line 1, column 2 there is "123456789012" where a name in double quotes or } was expected',
  },
  { text: "[012345678901234567]", words: 'at line 1, column 3 there is "123456789012" where , or ] was expected' },
  { text: "{} x", words: 'at line 1, column 4 there is "x" where nothing more was expected' },
  { text: '["a\nb"]', words: String.raw`at line 1, column 2 there is "\"a\nb\"]" where a value or ] was expected` },
  { text: '["\\x"]', words: String.raw`at line 1, column 2 there is "\"\\x\"]" where a value or ] was expected` },
])("what is wrong with $text is said with its place", ({ text, words }) => {
  expect(parseExactJson(text)).toEqual({ kind: "wrong", words });
});

test("a string of megabytes that does not end is told like any other mistake", () => {
  const parsed = parseExactJson(`["${"x".repeat(4 * 1024 * 1024)}`);
  expect(parsed).toMatchObject({ kind: "wrong", words: expect.stringContaining("column 2") });
});

test("a number so deep that reading it exactly would need too much stack is refused", () => {
  const text = `${"[".repeat(200_000)}12345678901234567890${"]".repeat(200_000)}`;
  expect(parseExactJson(text)).toEqual({ kind: "wrong", words: "it is nested too deeply" });
});
