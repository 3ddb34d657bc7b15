import { expect, test } from "vitest";
import { parseYaml } from "../../../src/lib/yaml-file.ts";

test("aliases that multiply are refused with the line of the last", () => {
  const list = (name: string, of: string): string => `${name}: &${name} [${Array(10).fill(of).join(", ")}]`;
  const bomb = [list("a", "x"), list("b", "*a"), list("c", "*b"), list("d", "*c"), list("e", "*d"), list("f", "*e")];
  expect(parseYaml(bomb.join("\n"))).toEqual({
    kind: "malformed",
    line: 6,
    words: "aliases (*name) stand for more than 100 values altogether",
  });
});

test("an alias of nothing is refused with its line", () => {
  expect(parseYaml("model: x\nfleet: *nope\n")).toEqual({
    kind: "malformed",
    line: 2,
    words: "nothing is named by *nope",
  });
});

test("an alias of what stands above is its value", () => {
  expect(parseYaml("a: &a {x: 1}\nb: *a\n")).toMatchObject({ kind: "parsed", value: { a: { x: 1 }, b: { x: 1 } } });
});

test("an alias of what is around it ends", () => {
  expect(parseYaml("a: &a [*a]\n").kind).toBe("parsed");
});

test.each(["", "# nothing\n", "\n---\n"])("%j is an empty document", (text) => {
  expect(parseYaml(text)).toMatchObject({ kind: "parsed", value: null });
});
