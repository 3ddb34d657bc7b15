import { Box, Text, useApp, useInput, useWindowSize } from "ink";
import { type ReactElement, useEffect, useReducer } from "react";
import type { LiveView } from "../contract/events.ts";
import type { Clock } from "../lib/clock.ts";
import type { Feed } from "./feed.ts";
import { frame, type Size } from "./frame.ts";
import { commandsOf } from "./keys.ts";
import { painted } from "./line.ts";
import { begun, reduce } from "./reduce.ts";
import { momentOf, type TopState } from "./state.ts";

/** How the screen was left. */
export type Ending = "quit" | "interrupt";

type Props = {
  readonly first: LiveView;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly colour: boolean;
  /** Empties the screen, so that the next picture is drawn whole. */
  readonly wipe: () => void;
};

/** The live screen: one reducer, fed from outside. Ends with an Ending, or with the error of the feed. */
export function App({ first, feed, clock, colour, wipe }: Props): ReactElement {
  const [state, dispatch] = useReducer(reduce, undefined, () => begun(first, momentOf(clock)));
  const { exit } = useApp();
  useEffect(() => feed({ onEvent: dispatch, onError: exit }), [feed, exit]);
  useInput((input, key) => {
    for (const command of commandsOf(input, key)) {
      if (command === "redraw") wipe();
      if (command === "quit" || command === "interrupt") exit(command satisfies Ending);
      else dispatch({ kind: "command", command });
    }
  });
  return <Screen state={state} size={useWindowSize()} colour={colour} />;
}

type ScreenProps = { readonly state: TopState; readonly size: Size; readonly colour: boolean };

/** One preformatted Text a row: Ink has nothing to lay out. */
export function Screen({ state, size, colour }: ScreenProps): ReactElement {
  const rows = frame(state, size).map((line, at) => ({ at, text: painted(line, { columns: size.columns, colour }) }));
  return (
    <Box flexDirection="column">
      {rows.map(({ at, text }) => (
        <Text key={at} wrap="truncate">
          {text === "" ? " " : text}
        </Text>
      ))}
    </Box>
  );
}
