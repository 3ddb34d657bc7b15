import { expect, test } from "vitest";
import { type EngineLook, isAllQuiet, type Oldest, type Sight, see, stuckIn } from "../../../src/watchdog/sight.ts";

const limits = { hardMs: 600_000, quietMs: 60_000 };
const old = { engine: "p", ageMs: 600_000, id: "r1" };

function answered(name: string, counters: string, oldest?: Oldest): EngineLook {
  return { kind: "answered", name, counters, ...(oldest === undefined ? {} : { oldest }) };
}

const silent: EngineLook = { kind: "silent", name: "p", why: "timeout" };

/** One look every 10 s. */
function seen(looks: readonly (readonly EngineLook[])[]): Sight {
  return looks.reduce<Sight>((sight, look) => see(sight, look, 10_000), {});
}

function times<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

test.each<{ name: string; looks: EngineLook[]; stuck: boolean }>([
  { name: "no counter moved for as long as the policy says", looks: times(7, answered("p", "1", old)), stuck: true },
  { name: "it was not watched for long enough", looks: times(6, answered("p", "1", old)), stuck: false },
  {
    name: "a counter moved in between",
    looks: [...times(6, answered("p", "1", old)), answered("p", "2", old)],
    stuck: false,
  },
  {
    name: "it did not answer in between: that is neither progress nor standstill",
    looks: [...times(4, answered("p", "1", old)), ...times(9, silent), ...times(3, answered("p", "1", old))],
    stuck: true,
  },
  {
    name: "it answered only once between two silences",
    looks: [answered("p", "1", old), ...times(9, silent), answered("p", "1", old)],
    stuck: false,
  },
  { name: "it does not answer now", looks: [...times(7, answered("p", "1", old)), silent], stuck: false },
  {
    name: "the oldest request is below the hard limit",
    looks: times(9, answered("p", "1", { ...old, ageMs: 599_999 })),
    stuck: false,
  },
  { name: "nothing is inflight", looks: times(9, answered("p", "1")), stuck: false },
])("$name → stuck: $stuck", ({ looks, stuck }) => {
  const rounds = looks.map((look) => [look]);
  expect(stuckIn(seen(rounds), rounds.at(-1) ?? [], limits)).toEqual(stuck ? old : undefined);
});

test("of two engines that stand still the one with the older request is meant", () => {
  const older = { ...old, engine: "q", ageMs: 900_000 };
  const looks = [answered("p", "1", old), answered("q", "1", older)];
  expect(stuckIn(seen(times(9, looks)), looks, limits)).toEqual(older);
});

test.each([
  { name: "both stand still", last: [answered("p", "1"), answered("d", "1")], quiet: true },
  { name: "one moves", last: [answered("p", "1"), answered("d", "2")], quiet: false },
  { name: "one does not answer: what it does is not known", last: [silent, answered("d", "1")], quiet: false },
])("$name → everything is known to be quiet: $quiet", ({ last, quiet }) => {
  const sight = seen([...times(9, [answered("p", "1"), answered("d", "1")]), last]);
  expect(isAllQuiet(sight, last, limits.quietMs)).toBe(quiet);
});
