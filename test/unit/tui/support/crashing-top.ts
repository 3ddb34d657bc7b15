import { systemClock } from "../../../../src/lib/clock.ts";
import { runTop } from "../../../../src/tui/main.tsx";
import { wedgedView } from "./views.ts";

// A mistake outside of everything that is drawn, when the test wants it.
process.once("SIGCONT", () => {
  throw new Error("a mistake of the program");
});

await runTop({
  first: wedgedView(),
  views: { next: async () => await new Promise(() => undefined) },
  clock: systemClock,
  colour: true,
  signal: new AbortController().signal,
});
