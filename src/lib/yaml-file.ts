import { type Alias, type Document, isMap, isNode, LineCounter, parseDocument, visit } from "yaml";

/** A parsed YAML text that still knows on which line each value stands. */
export type YamlText = {
  readonly value: unknown;
  /** The line of a value, or of the nearest thing around it. */
  readonly lineOf: (path: readonly (string | number)[]) => number;
  /** The line of a key of the map at `path`. */
  readonly lineOfKey: (path: readonly (string | number)[], key: string) => number;
};

export type YamlResult =
  | ({ readonly kind: "parsed" } & YamlText)
  | { readonly kind: "malformed"; readonly line: number; readonly words: string };

/** Parses one YAML document. */
export function parseYaml(text: string): YamlResult {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) {
    return { kind: "malformed", line: lines.linePos(error.pos[0]).line, words: error.message };
  }

  const lineAt = (node: unknown): number | undefined =>
    isNode(node) && node.range ? lines.linePos(node.range[0]).line : undefined;

  const lineOf = (path: readonly (string | number)[]): number => {
    const line = lineAt(path.length === 0 ? document.contents : document.getIn(path, true));
    if (line !== undefined || path.length === 0) return line ?? 1;
    return lineOf(path.slice(0, -1));
  };

  const lineOfKey = (path: readonly (string | number)[], key: string): number => {
    const map = path.length === 0 ? document.contents : document.getIn(path, true);
    const pair = isMap(map) ? map.items.find((item) => String(item.key) === key) : undefined;
    return lineAt(pair?.key) ?? lineOf(path);
  };

  const aliases = aliasesOf(document);
  const unknown = aliases.find((alias) => alias.resolve(document) === undefined);
  if (unknown !== undefined) {
    return { kind: "malformed", line: lineAt(unknown) ?? 1, words: `nothing is named by *${unknown.source}` };
  }
  try {
    return { kind: "parsed", value: document.toJS({ maxAliasCount }), lineOf, lineOfKey };
  } catch (cause) {
    // The library's word for aliases of aliases; with none in the file it is another fault.
    if (!(cause instanceof ReferenceError) || aliases.length === 0) throw cause;
    const words = `aliases (*name) stand for more than ${maxAliasCount} values altogether`;
    return { kind: "malformed", line: lineAt(aliases.at(-1)) ?? 1, words };
  }
}

// So that a small file cannot grow into a large value.
const maxAliasCount = 100;

function aliasesOf(document: Document): readonly Alias[] {
  const found: Alias[] = [];
  visit(document, { Alias: (_, alias) => void found.push(alias) });
  return found;
}
