import type { FleetConfig } from "../contract/config.ts";
import type { ConfigProblem } from "../contract/config-problem.ts";
import { modelFault } from "./model-file.ts";

/** The models that the configuration names and that are neither known nor a GGUF file. Fetches nothing. */
export function modelProblems({ model, engines }: FleetConfig): ConfigProblem[] {
  const named = engines.flatMap((engine, entry) =>
    engine.model === undefined ? [] : [{ path: ["engines", entry, "model"], model: engine.model }],
  );
  // One that no engine uses is passed over, as it is at the start.
  const shared = named.length === engines.length ? [] : [{ path: ["model"], model }];
  return [...shared, ...named].flatMap(({ path, model }) => {
    const fault = modelFault(model);
    return fault === undefined ? [] : [{ path, words: `${fault.message.replace(/\.$/, "")}: ${fault.tryThis}` }];
  });
}
