/** What a person can ask of the screen. */
export type Command =
  | "quit"
  | "interrupt"
  | "redraw"
  | "help"
  | "sort"
  | "pause"
  | "up"
  | "down"
  | "page-up"
  | "page-down"
  | "first"
  | "last";

/** The part of Ink's description of a key that is read here. */
export type Key = {
  readonly upArrow: boolean;
  readonly downArrow: boolean;
  readonly pageUp: boolean;
  readonly pageDown: boolean;
  readonly home: boolean;
  readonly end: boolean;
  readonly ctrl: boolean;
};

const letters: ReadonlyMap<string, Command> = new Map([
  ["q", "quit"],
  ["?", "help"],
  ["o", "sort"],
  ["p", "pause"],
  ["k", "up"],
  ["j", "down"],
  ["g", "first"],
  ["G", "last"],
]);

const controls: ReadonlyMap<string, Command> = new Map([
  ["c", "interrupt"],
  ["l", "redraw"],
]);

/** The keys as the help shows them. */
export const keyWords: readonly (readonly [keys: string, words: string])[] = [
  ["q", "ends top; Ctrl-C, too"],
  ["?", "shows and hides this page"],
  ["j k ↓ ↑", "moves along the requests"],
  ["PgDn PgUp", "moves by ten"],
  ["g G Home End", "goes to the first, to the last"],
  ["o", "sorts the requests by the next column: age in stage, age, bytes moved, engines"],
  ["Ctrl-L", "draws the screen anew, where something else has written into it"],
  ["p", "holds the picture, and lets it go on"],
];

/** The key map: one table, no state. Keys that come at once, as held keys do over a slow line, each count. */
export function commandsOf(input: string, key: Key): Command[] {
  const one = commandOf(input, key);
  if (one !== undefined || key.ctrl) return one === undefined ? [] : [one];
  return [...input].flatMap((letter) => letters.get(letter) ?? []);
}

function commandOf(input: string, key: Key): Command | undefined {
  if (key.ctrl) return controls.get(input);
  if (key.upArrow) return "up";
  if (key.downArrow) return "down";
  if (key.pageUp) return "page-up";
  if (key.pageDown) return "page-down";
  if (key.home) return "first";
  if (key.end) return "last";
  return letters.get(input);
}
