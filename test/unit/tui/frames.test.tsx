import { renderToString } from "ink";
import { expect, test } from "vitest";
import { Screen } from "../../../src/tui/app.tsx";
import { widthOf } from "../../../src/tui/cells.ts";
import { frame } from "../../../src/tui/frame.ts";
import { painted } from "../../../src/tui/line.ts";
import { plainFrame } from "../../../src/tui/plain-frame.ts";
import { begun, reduce } from "../../../src/tui/reduce.ts";
import type { TopState } from "../../../src/tui/state.ts";
import { after, decode, edge, incident, liveView, moment, prefill, request, wedgedView } from "./support/views.ts";

const wedged = begun(wedgedView(), moment);
const later = (state: TopState, view = state.shown.view): TopState =>
  reduce(state, { kind: "view", view, now: after(2) });

const large = liveView({
  fleet: {
    engines: Array.from({ length: 16 }, (_, at) =>
      at < 8
        ? prefill(`prefill-${at}`)
        : decode(
            `decode-${at - 8}`,
            at === 13 ? { verdict: "down", cause: "exited", state: "failed", failure: "ended with status 1" } : {},
          ),
    ),
    edges: Array.from({ length: 64 }, (_, at) =>
      edge(
        `prefill-${at >> 3}`,
        `decode-${at & 7}`,
        at === 40 ? { verdict: "fault", cause: "edge-broken", quarantined: true } : {},
      ),
    ),
  },
  requests: Array.from({ length: 200 }, (_, at) => request(`r${1000 + at}`, { stageAgeMs: at * 100 })),
});

const wide = liveView({
  fleet: {
    engines: [prefill("预填一号"), decode("解码🚀")],
    edges: [edge("预填一号", "解码🚀")],
    incidents: [incident("i1", { subject: "engine 预填一号", done: "an engine said \u001B[2J🚀" })],
  },
  requests: [request("요청-1", { prefill: "预填一号", decode: "解码🚀" })],
});

const worked = liveView({
  fleet: {
    engines: [
      prefill("prefill", { load: { prompt_tokens_total: 5_000, transfer_bytes_total: 3 * 1024 ** 2 } }),
      decode("decode", { load: { generated_tokens_total: 700 } }),
    ],
  },
});

test.each([
  { name: "wedge-80x24", state: wedged, columns: 80, rows: 24 },
  { name: "wedge-160x50", state: wedged, columns: 160, rows: 50 },
  { name: "rates-80x24", state: later(begun(liveView(), moment), worked), columns: 80, rows: 24 },
  { name: "empty-80x24", state: begun(liveView({ fleet: { engines: [], edges: [] } }), moment), columns: 80, rows: 24 },
  { name: "large-80x24", state: begun(large, moment), columns: 80, rows: 24 },
  { name: "large-160x50", state: begun(large, moment), columns: 160, rows: 50 },
  { name: "wide-names-80x24", state: begun(wide, moment), columns: 80, rows: 24 },
  { name: "silence-80x24", state: reduce(wedged, { kind: "clock", now: after(42) }), columns: 80, rows: 24 },
  { name: "help-80x24", state: reduce(wedged, { kind: "command", command: "help" }), columns: 80, rows: 24 },
  { name: "narrow-40x12", state: wedged, columns: 40, rows: 12 },
])("the frame $name is as it was", async ({ name, state, columns, rows }) => {
  const drawn = renderToString(<Screen state={state} size={{ columns, rows }} colour={false} />, { columns });
  const lines = drawn.split("\n");
  expect(lines).toHaveLength(rows);
  await expect(lines.map((line) => `${line.trimEnd()}\n`).join("")).toMatchFileSnapshot(`frames/${name}.txt`);
});

test("the plain frame leaves nothing out", async () => {
  await expect(plainFrame(wedgedView(), moment, Number.POSITIVE_INFINITY)).toMatchFileSnapshot("frames/plain.txt");
  const whole = plainFrame(large, moment, Number.POSITIVE_INFINITY);
  for (const { id } of large.requests) expect(whole).toContain(id);
});

test("no frame is larger than its terminal, from 1×1 to 250×80", () => {
  for (const state of [
    wedged,
    begun(large, moment),
    begun(wide, moment),
    reduce(wedged, { kind: "command", command: "help" }),
  ]) {
    for (let columns = 1; columns <= 250; columns += columns < 12 ? 1 : 23) {
      for (let rows = 1; rows <= 80; rows += rows < 12 ? 1 : 9) {
        const lines = frame(state, { columns, rows });
        expect(lines).toHaveLength(rows);
        const widths = lines.map((line) => widthOf(painted(line, { columns, colour: false })));
        expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
      }
    }
  }
});
