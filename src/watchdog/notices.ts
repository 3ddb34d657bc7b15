import { type Facts, stuckWords } from "./decide.ts";
import type { Limits } from "./limits.ts";
import type { EngineLook, Sight } from "./sight.ts";
import type { Notice } from "./teller.ts";

/** What the watchdog only tells: all that it sees and does not act on. */
export function noticesOf(
  { daemon, stuck, mayHeal, actionOpen, wish }: Facts,
  { sight, looks, limits }: { readonly sight: Sight; readonly looks: readonly EngineLook[]; readonly limits: Limits },
): readonly Notice[] {
  // Where down or maintenance is wanted, or nobody knows what is, silence is no news.
  if (wish !== "up") return [];
  return [...daemonNotices(daemon), ...stuckNotices({ stuck, mayHeal, actionOpen }), ...silent(looks, sight, limits)];
}

/** Files of the fleet that cannot be read, while it is not wanted down. */
export function fileNotices({ wish }: Pick<Facts, "wish">, faults: readonly string[]): readonly Notice[] {
  if (wish === "down" || faults.length === 0) return [];
  return [{ subject: "fleet", severity: "critical", words: faults.join("; ") }];
}

function daemonNotices(daemon: Facts["daemon"]): readonly Notice[] {
  switch (daemon) {
    case "serves":
      return [];
    case "frozen":
      return [{ subject: "daemon", severity: "critical", words: "the daemon's heartbeat stands still" }];
    case "gone":
      return [{ subject: "daemon", severity: "critical", words: "the daemon is gone" }];
  }
}

function stuckNotices({ stuck, mayHeal, actionOpen }: Pick<Facts, "stuck" | "mayHeal" | "actionOpen">): Notice[] {
  if (stuck === undefined) return [];
  const why = actionOpen === undefined ? (mayHeal ? "" : "; nothing may be done about it") : `; open: ${actionOpen}`;
  return [{ subject: `engine ${stuck.engine}`, severity: "critical", words: `stuck: ${stuckWords(stuck)}${why}` }];
}

function silent(looks: readonly EngineLook[], sight: Sight, { heartbeatMs }: Limits): readonly Notice[] {
  return looks.flatMap((look): Notice[] => {
    if (look.kind === "answered" || (sight[look.name]?.silentMs ?? 0) < heartbeatMs) return [];
    return [
      { subject: `engine ${look.name}`, severity: "warning", words: `${look.name} does not answer: ${look.why}` },
    ];
  });
}
