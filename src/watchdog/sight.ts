/** The request that has been inflight longest on an engine. */
export type Oldest = {
  readonly engine: string;
  readonly ageMs: number;
  /** Absent where the engine did not list it: it cannot be named. */
  readonly id?: string;
  readonly room?: string;
};

/** One look at one engine. Not to answer is not the same as to stand still. */
export type EngineLook =
  | {
      readonly kind: "answered";
      readonly name: string;
      /** Everything that grows while it works, in one text: it differs when anything moved. */
      readonly counters: string;
      readonly oldest?: Oldest;
    }
  | { readonly kind: "silent"; readonly name: string; readonly why: string };

/** What has been seen of each engine so far, by its name. */
export type Sight = Readonly<Record<string, Seen>>;

type Seen = {
  readonly counters?: string;
  /** How long it was watched without any counter moving. */
  readonly quietMs: number;
  readonly silentMs: number;
};

/** `stepMs`: how long this process has watched since the last look; its own sleep is nobody's silence. */
export function see(sight: Sight, looks: readonly EngineLook[], stepMs: number): Sight {
  return Object.fromEntries(looks.map((look) => [look.name, seenAfter(sight[look.name], look, stepMs)]));
}

/** The oldest inflight request beyond the limit, of those whose engine makes no progress. */
export function stuckIn(
  sight: Sight,
  looks: readonly EngineLook[],
  { hardMs, quietMs }: { readonly hardMs: number; readonly quietMs: number },
): Oldest | undefined {
  return looks
    .flatMap((look) => (look.kind === "answered" ? (look.oldest ?? []) : []))
    .filter(({ engine, ageMs }) => ageMs >= hardMs && (sight[engine]?.quietMs ?? 0) >= quietMs)
    .toSorted((a, b) => b.ageMs - a.ageMs)[0];
}

/** Whether it is known of every engine that it stands still. */
export function isAllQuiet(sight: Sight, looks: readonly EngineLook[], quietMs: number): boolean {
  return looks.every(({ kind, name }) => kind === "answered" && (sight[name]?.quietMs ?? 0) >= quietMs);
}

function seenAfter(before: Seen | undefined, look: EngineLook, stepMs: number): Seen {
  switch (look.kind) {
    case "silent":
      // Its clock pauses: what it did meanwhile is unknown.
      return { ...before, quietMs: before?.quietMs ?? 0, silentMs: (before?.silentMs ?? 0) + stepMs };
    case "answered": {
      const still = before?.counters === look.counters;
      return { counters: look.counters, quietMs: still ? before.quietMs + stepMs : 0, silentMs: 0 };
    }
  }
}
