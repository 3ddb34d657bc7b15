import type { EngineState } from "../../contract/engine-http.ts";
import type { NativeEngine } from "../native.ts";

/** The loop's latest snapshot; the addon makes it in the contract's shape. */
export function stateOf(native: Pick<NativeEngine, "state">): EngineState {
  return native.state() as EngineState;
}
