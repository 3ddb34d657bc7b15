import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

// How long a file may be. The first row whose pattern matches counts.
const lengths = [
  { files: /^src\/commands\/.*\.ts$/, linesMax: 50 },
  { files: /^src\/engine\/native\.ts$/, linesMax: 120 },
  { files: /^src\/.*\.tsx?$/, linesMax: 200 },
  { files: /^(scripts|bench)\/.*\.(mjs|ts)$/, linesMax: 200 },
  { files: /^test\/.*\.tsx?$/, linesMax: 300 },
  { files: /^native\/.*\.h$/, linesMax: 120 },
  { files: /^native\/.*\.cpp$/, linesMax: 300 },
  { files: /^(test|bench)\/native\/.*\.(h|cpp)$/, linesMax: 400 },
];
const functionLinesMax = 60;

// What modules may not call, where, and what to use instead.
const banned = [
  { call: "process.exit", in: /^src\//, instead: "throw: only the launcher and oclif end the process" },
  { call: "Date.now", in: /^src\//, except: /^src\/lib\/clock\.ts$/, instead: "lib/clock.ts" },
  {
    call: "setTimeout",
    in: /^src\/(cli|client|commands|contract|drivers)\//,
    instead: "a loop, or a deadline of lib/",
  },
  {
    call: "setInterval",
    in: /^src\/(cli|client|commands|contract|drivers)\//,
    instead: "a loop of daemon, engine or router",
  },
  { call: "fetch", in: /^src\/contract\//, instead: "data: contract does nothing" },
  { call: "Math.random", in: /^src\//, instead: "node:crypto, or a seed that is passed in" },
  ...["log", "info", "warn", "error", "debug"].map((name) => ({
    call: `console.${name}`,
    in: /^src\//,
    instead: "lib/log.ts, or print and say of cli/base-command.ts",
  })),
];

const files = ["src", "scripts", "bench", "test", "native"].flatMap(list);

test("files are short", () => {
  const long = files.flatMap((file) => {
    const limit = lengths.find((row) => row.files.test(file));
    const lines = read(file).trimEnd().split("\n").length;
    return limit && lines > limit.linesMax ? [`${file}: ${lines} lines, at most ${limit.linesMax}: split it`] : [];
  });
  expect(long).toEqual([]);
});

test("functions are short", () => {
  const long = sources(/^src\//).flatMap(({ file, source }) =>
    nodes(source).flatMap((node) => {
      if (!ts.isFunctionLike(node)) return [];
      const first = lineOf(source, node.getStart(source));
      const lines = lineOf(source, node.getEnd()) - first + 1;
      return lines > functionLinesMax ? [`${file}:${first}: ${lines} lines, at most ${functionLinesMax}`] : [];
    }),
  );
  expect(long).toEqual([]);
});

test("nothing calls what has a better replacement", () => {
  const calls = sources(/^src\//).flatMap(({ file, source }) =>
    nodes(source).flatMap((node) => {
      const name = ts.isCallExpression(node) ? node.expression.getText(source) : "";
      const rule = banned.find((row) => row.call === name && row.in.test(file) && !row.except?.test(file));
      return rule ? [`${file}:${lineOf(source, node.getStart(source))}: ${name}: use ${rule.instead}`] : [];
    }),
  );
  expect(calls).toEqual([]);
});

test("modules hold no state", () => {
  const variables = sources(/^src\//).flatMap(({ file, source }) =>
    source.statements.flatMap((statement) =>
      ts.isVariableStatement(statement) && !(statement.declarationList.flags & ts.NodeFlags.Const)
        ? [`${file}:${lineOf(source, statement.getStart(source))}: pass it in, or keep it in a class`]
        : [],
    ),
  );
  expect(variables).toEqual([]);
});

test("files are named for the thing or the verb", () => {
  const vague = files.filter((file) => /(^|[/_-])(utils?|helpers?|managers?|common|misc)([._-]|$)/.test(file));
  expect(vague).toEqual([]);
});

test("nothing is left for later in a comment", () => {
  const marks = files.filter((file) => /\b(TODO|FIXME|XXX)\b/.test(read(file)) && !file.endsWith("tidy.test.ts"));
  expect(marks).toEqual([]);
});

function list(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(tsx?|mjs|h|cpp)$/.test(name))
    .map((name) => join(folder, name))
    .sort();
}

function read(file: string): string {
  return readFileSync(file, "utf8");
}

function sources(pattern: RegExp): { readonly file: string; readonly source: ts.SourceFile }[] {
  return files
    .filter((file) => pattern.test(file))
    .map((file) => ({ file, source: ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true) }));
}

function nodes(root: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

function lineOf(source: ts.SourceFile, position: number): number {
  return source.getLineAndCharacterOfPosition(position).line + 1;
}
