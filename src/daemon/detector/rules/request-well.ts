import { type Rule, say } from "../view.ts";
import { seconds } from "../words.ts";

/** A request that stood still long enough to be suspect and goes on: said, so that nobody waits for word of it. */
export const requestWell: Rule = (view) =>
  [...view.history.requests.values()].flatMap(({ id, still, stoodMsMax, prefill, decode }) => {
    if (stoodMsMax < view.policy.suspect || still.ms >= view.policy.suspect) return [];
    const engines = [prefill?.engine, decode?.engine].filter((name) => name !== undefined);
    const isDecoding = decode?.seen.stage === "running";
    return [
      say(view, {
        subject: `request ${id}`,
        verdict: "busy",
        cause: isDecoding ? "decode" : "transferring",
        sinceMs: still.sinceMs,
        evidence: [`it goes on after it had stood still for ${seconds(stoodMsMax)}`],
        moving: true,
        requests: [id],
        engines: [...new Set(engines)],
      }),
    ];
  });
