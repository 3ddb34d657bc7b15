import { type Rule, say, watched } from "../view.ts";

/** The fleet as a whole, where nothing concerns all of it: unknown, starting, or ok. */
export const fleet: Rule = (view) => {
  const { found, nowMs } = view;
  const names = watched(view).length;
  const own = [...found.values()].filter(({ subject }) => subject === "router" || subject.startsWith("engine "));
  const unknown = own.filter(({ verdict }) => verdict === "unknown").length;
  const starting = own.filter(({ verdict }) => verdict === "starting").length;
  const base = { subject: "fleet", sinceMs: nowMs } as const;
  if (unknown === names) {
    const evidence = [`none of its ${names} processes gives data`];
    return [say(view, { ...base, verdict: "unknown", cause: "no-data", evidence, sure: "low", fresh: false })];
  }
  if (starting > 0 && starting + unknown === names) {
    return [
      say(view, { ...base, verdict: "starting", evidence: [`still starting: ${starting} of its ${names} processes`] }),
    ];
  }
  return [
    say(view, { ...base, verdict: "ok", evidence: [`data come from ${names - unknown} of its ${names} processes`] }),
  ];
};
