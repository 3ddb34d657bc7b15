import type { ProcessState } from "../../contract/fleet.ts";
import type { Watched } from "../../contract/observation.ts";
import type { Identity } from "../../contract/run-record.ts";

/** Whom to look at. */
export type Target = {
  readonly name: string;
  readonly role: Watched["role"];
  readonly driver: string;
  /** Absent while it has none to answer on. */
  readonly url?: string | undefined;
  readonly generation: number;
  readonly state: ProcessState;
  /** Its processes, the engine or router itself first; none where they are not on this machine. */
  readonly members: readonly Identity[];
};
