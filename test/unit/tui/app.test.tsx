import { cleanup, render } from "ink-testing-library";
import { afterEach, expect, test, vi } from "vitest";
import type { Clock } from "../../../src/lib/clock.ts";
import { App } from "../../../src/tui/app.tsx";
import type { Feed } from "../../../src/tui/feed.ts";
import { after, liveView, moment, request } from "./support/views.ts";

afterEach(cleanup);

const clock: Clock = { nowMs: () => moment.nowMs, wallMs: () => moment.wallMs };
const view = liveView({ requests: ["a1", "b2", "c3"].map((id, at) => request(id, { stageAgeMs: 900 - at })) });

type To = Parameters<Feed>[0];

function opened() {
  const tos: To[] = [];
  const ended = vi.fn();
  const feed: Feed = (given) => {
    tos.push(given);
    return ended;
  };
  const screen = render(<App first={view} feed={feed} clock={clock} colour={false} wipe={() => undefined} />);
  const [to] = tos;
  if (to === undefined) throw new Error("the feed was not opened");
  return { screen, to, ended };
}

async function shows(screen: ReturnType<typeof render>, words: string): Promise<void> {
  await vi.waitFor(() => expect(screen.lastFrame()).toContain(words), { timeout: 20_000 });
}

test.each([
  { keys: ["j"], words: "▸ b2" },
  { keys: ["\u001B[B", "\u001B[B"], words: "▸ c3" },
  { keys: ["G"], words: "▸ c3" },
  { keys: ["\u001B[6~"], words: "▸ c3" },
  { keys: ["G", "k"], words: "▸ b2" },
  { keys: ["G", "g"], words: "▸ a1" },
  { keys: ["o"], words: "by age" },
  { keys: ["?"], words: "KEYS" },
  { keys: ["p"], words: "HELD" },
])("the keys $keys show $words", async ({ keys, words }) => {
  const { screen } = opened();
  for (const key of keys) {
    const before = screen.frames.length;
    screen.stdin.write(key);
    await vi.waitFor(() => expect(screen.frames.length).toBeGreaterThan(before), { timeout: 20_000 });
  }
  await shows(screen, words);
});

test("what the feed brings is drawn, and leaving the screen ends the feed", async () => {
  const { screen, to, ended } = opened();
  to.onEvent({ kind: "view", view: liveView({ fleet: { epoch: 9 } }), now: after(1) });
  await shows(screen, "epoch 9");
  screen.unmount();
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce(), { timeout: 20_000 });
});
