import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const documents = [".", "docs", "docs/adr"].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name)),
);

test.each(documents)("every link of %s leads to a file", (document) => {
  const links = [...readFileSync(document, "utf8").matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, link]) => link);
  expect(links.filter((link) => !existsSync(join(dirname(document), String(link))))).toEqual([]);
});

test("every command that the README runs exists", () => {
  const shown = [...readFileSync("README.md", "utf8").matchAll(/bin\/pdctl ([a-z]+(?: [a-z]+)?)/g)];
  const missing = shown.filter(([, words]) => {
    const [first = "", second = ""] = String(words).split(" ");
    return !existsSync(`src/commands/${first}.ts`) && !existsSync(`src/commands/${first}/${second}.ts`);
  });
  expect(missing.map(([command]) => command)).toEqual([]);
});

test("every script that a document names is in package.json", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly scripts: Record<string, string> };
  const named = documents.flatMap((document) => [...readFileSync(document, "utf8").matchAll(/npm run ([a-z:0-9]+)/g)]);
  expect(named.filter(([, script]) => !Object.hasOwn(scripts, String(script)))).toEqual([]);
});

test("a decision is at most a page", () => {
  const long = documents.filter((name) => name.startsWith("docs/adr/")).filter((name) => lines(name) > 50);
  expect(long).toEqual([]);
});

function lines(document: string): number {
  return readFileSync(document, "utf8").split("\n").length;
}
