import type { EngineTarget, PrefillTarget, RouterOptions } from "../../contract/process-options.ts";
import type { EngineSpec } from "./engine.ts";

/** The table of a router that was told its engines when it was started. */
export function optionEngines({
  prefill,
  decode,
  both,
}: Pick<RouterOptions, "prefill" | "decode" | "both">): EngineSpec[] {
  return [
    ...prefill.map((target) => specOf("prefill", target)),
    ...decode.map((target) => specOf("decode", target)),
    ...both.map((target) => specOf("both", target)),
  ];
}

function specOf(role: EngineSpec["role"], target: EngineTarget | PrefillTarget): EngineSpec {
  const bootstrap = "bootstrap" in target ? target.bootstrap : undefined;
  return { name: target.name, role, url: target.url, bootstrap, generation: 0, admits: true };
}
