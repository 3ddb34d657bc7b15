import { expect, test } from "vitest";
import { withBytes } from "../../../../src/daemon/poller/edge-bytes.ts";

const totals: Readonly<Record<string, number>> = { P1: 100, P2: 200, D1: 90, D2: 180 };

// One row: the edges that there are, who says nothing, and what is known of each.
test.each([
  { edges: ["P1:D1"], silent: [], known: [90], why: "decode tells what has arrived" },
  { edges: ["P1:D1"], silent: ["D1"], known: [undefined], why: "prefill's sum is another one and does not step in" },
  { edges: ["P1:D1", "P1:D2"], silent: [], known: [90, 180], why: "each decode engine has one edge" },
  { edges: ["P1:D1", "P2:D1"], silent: [], known: [100, 200], why: "each prefill engine has one edge" },
  {
    edges: ["P1:D1", "P1:D2", "P2:D1", "P2:D2"],
    silent: [],
    known: [undefined, undefined, undefined, undefined],
    why: "nobody's sum is one edge's",
  },
  { edges: ["P1:P1"], silent: [], known: [undefined], why: "nothing moves in an engine that does both" },
])("of $edges, $silent silent, $known is known: $why", ({ edges, silent, known }) => {
  const lines = edges.map((edge) => {
    const [prefill = "", decode = ""] = edge.split(":");
    return { kind: "edge", t: 1, prefill, decode } as const;
  });
  const samples = Object.entries(totals).map(
    ([id, total]) =>
      ({
        kind: "sample",
        t: 1,
        id,
        ...((silent as string[]).includes(id) ? {} : { transfer_bytes_total: total }),
      }) as const,
  );
  expect(withBytes(lines, samples).map(({ bytes_total }) => bytes_total)).toEqual(known);
});
