import fc from "fast-check";
import { expect, test } from "vitest";
import type { AnswerWriter } from "../../../src/engine/answer/answer-writer.ts";
import { TextAnswer } from "../../../src/engine/answer/text-answer.ts";
import { AnswerText } from "../../../src/engine/text/answer-text.ts";

/** What a client would have read, with the bytes of `text` cut into tokens of these lengths. */
function streamed(
  text: string,
  lengths: readonly number[],
  stops: readonly string[],
): { text: string; stopped: boolean } {
  const answer = new AnswerText(stops);
  const bytes = new TextEncoder().encode(text);
  let told = "";
  let at = 0;
  for (const length of [...lengths, bytes.length]) {
    const { text: piece, stopped } = answer.push(bytes.subarray(at, at + length));
    told += piece;
    at += length;
    if (stopped) return { text: told, stopped };
  }
  const last = answer.end();
  return { text: told + last.text, stopped: last.stopped };
}

const lengths = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 40 });
const fewLetters = (min: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom("a", "b", "é", "😀"), minLength: min, maxLength: 24 });

test("text comes whole, however its bytes are cut", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), lengths, (text, cuts) => {
      expect(streamed(text, cuts, [])).toEqual({ text, stopped: false });
    }),
  );
});

test("an answer ends right before its stop string, however its bytes are cut", () => {
  fc.assert(
    fc.property(fewLetters(0), fewLetters(1), lengths, (text, stop, cuts) => {
      const end = text.indexOf(stop);
      expect(streamed(text, cuts, [stop])).toEqual({ text: end < 0 ? text : text.slice(0, end), stopped: end >= 0 });
    }),
  );
});

test("with several stop strings none is ever told, nor anything that is not in the text", () => {
  fc.assert(
    fc.property(
      fewLetters(0),
      fc.array(fewLetters(1), { minLength: 1, maxLength: 4 }),
      lengths,
      (text, stops, cuts) => {
        const told = streamed(text, cuts, stops);
        expect(text.startsWith(told.text)).toBe(true);
        expect(stops.filter((stop) => told.text.includes(stop))).toEqual([]);
        expect(told.stopped).toBe(stops.some((stop) => text.includes(stop)));
      },
    ),
  );
});

test("a character that never became whole is shown as such", () => {
  expect(streamed("a", [1], [])).toEqual({ text: "a", stopped: false });
  const answer = new AnswerText([]);
  expect(answer.push(Uint8Array.of(0xf0, 0x9f)).text).toBe("");
  expect(answer.end().text).toBe("\ufffd");
});

test("a client that reads too slowly is let go, and the engine told", () => {
  const told: string[] = [];
  const writer: AnswerWriter = {
    committed: () => undefined,
    text: () => undefined,
    finished: () => told.push("finished"),
    failed: ({ words }) => told.push(words),
    unreadBytes: () => 2 * 1024 * 1024,
  };
  const aborted: string[] = [];
  const native = { piece: () => Uint8Array.of(97), abort: (id: string) => aborted.push(id), finish: () => undefined };
  let ends = 0;
  const answer = new TextAnswer({ native, id: "r1", promptTokens: 1, stops: [], writer, onEnd: () => (ends += 1) });
  for (let token = 0; token < 3; token += 1) answer.take({ id: "r1", kind: "token", token });
  expect(told).toEqual(["The client reads too slowly: more than 1048576 bytes of the answer wait for it."]);
  expect(aborted).toEqual(["r1"]);
  expect(ends).toBe(1);
});
