import type { RequestView } from "../contract/request-view.ts";

/** By what the requests are sorted; the first is how the screen begins. */
export const sortKeys = ["age in stage", "age", "bytes moved", "engines"] as const;
export type SortKey = (typeof sortKeys)[number];

export function nextSortKey(key: SortKey): SortKey {
  return sortKeys[(sortKeys.indexOf(key) + 1) % sortKeys.length] ?? sortKeys[0];
}

/** The requests in that order; what is unknown comes last. */
export function sorted(requests: readonly RequestView[], key: SortKey): RequestView[] {
  return [...requests].sort((a, b) => compare(a, b, key) || compareText(a.id, b.id));
}

function compare(a: RequestView, b: RequestView, key: SortKey): number {
  switch (key) {
    case "age in stage":
      return (b.stageAgeMs ?? -1) - (a.stageAgeMs ?? -1);
    case "age":
      return b.ageMs - a.ageMs;
    case "bytes moved":
      return (b.bytesDone ?? -1) - (a.bytesDone ?? -1);
    case "engines":
      return compareText(edgeOf(a), edgeOf(b)) || b.ageMs - a.ageMs;
  }
}

function edgeOf({ prefill = "\uFFFF", decode = "\uFFFF" }: RequestView): string {
  return `${prefill} ${decode}`;
}

// By code units: an order of people's languages costs a hundred times as much, and names are not words.
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
