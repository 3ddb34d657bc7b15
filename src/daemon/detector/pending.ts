import type { Track } from "./history.ts";

/** Whether something waits on the pair for the other end, as far as counts can tell. */
export function pendingOn({ latest: prefill }: Track, { latest: decode }: Track): boolean {
  return (
    (prefill?.inflight ?? 0) > 0 ||
    (prefill?.bootstrap_queue ?? 0) > 0 ||
    (decode?.prealloc_queue ?? 0) > 0 ||
    (decode?.transfer_queue ?? 0) > 0
  );
}
