import type { ActionName } from "../../contract/action.ts";
import type { Verdict } from "../../contract/verdict.ts";

/** The steps of the ladder, as `policy.act` spells them. */
export type Step = "fail" | "isolate" | "restart" | "co-restart";

export const allSteps: readonly Step[] = ["fail", "isolate", "restart", "co-restart"];

export type Remedy =
  /** Nothing: it heals by itself, or it is none of ours. */
  | { readonly kind: "none" }
  /** Only people can do something about it. */
  | { readonly kind: "tell"; readonly words: string }
  /** The steps that may help, the gentlest first. */
  | { readonly kind: "ladder"; readonly steps: readonly Step[] };

/** What a verdict may lead to: where the ladder begins and where it stops. One row a verdict, by cause. */
export function remedyOf({ verdict, cause }: Verdict): Remedy {
  switch (verdict) {
    case "ok":
    case "idle":
    case "busy":
    case "slow":
    case "starting":
    case "draining":
    case "paused":
    case "suspect":
      return { kind: "none" };
    case "wedge":
      // A frozen loop hears no fail and serves no other edge.
      return { kind: "ladder", steps: cause === "loop-hang" ? ["restart", "co-restart"] : allSteps };
    case "down":
      return downRemedy(cause);
    case "unknown":
      return { kind: "tell", words: "nothing is done without data: look at the engine or at the way to it" };
    case "leak":
      return { kind: "tell", words: "restart the engine when it is idle" };
    case "storm":
    case "fault":
      return { kind: "tell", words: "nothing is done about it by itself" };
  }
}

function downRemedy(cause: Verdict["cause"]): Remedy {
  if (cause === "crash-loop") return { kind: "tell", words: "it ends each time that it is started: its log says why" };
  if (cause === "port-held") return { kind: "tell", words: "another process holds its port: end that one" };
  return { kind: "ladder", steps: ["restart"] };
}

/** The step that an action belongs to. */
export function stepOf(action: ActionName): Step | undefined {
  switch (action) {
    case "fail":
    case "abort":
      return "fail";
    case "drain":
    case "quarantine":
    case "shed":
    case "reregister":
      return "isolate";
    case "restart":
      return "restart";
    case "co-restart":
      return "co-restart";
    case "notify":
    case "start":
    case "stop":
    case "resume":
    case "canary":
      return undefined;
  }
}
