import { busy } from "./rules/busy.ts";
import { canaryLost } from "./rules/canary-lost.ts";
import { decodeStall } from "./rules/decode-stall.ts";
import { edgeOrphan } from "./rules/edge-orphan.ts";
import { edgeStall } from "./rules/edge-stall.ts";
import { edgeWell } from "./rules/edge-well.ts";
import { exited } from "./rules/exited.ts";
import { fleet } from "./rules/fleet.ts";
import { heldBack } from "./rules/held-back.ts";
import { loopHang } from "./rules/loop-hang.ts";
import { noData } from "./rules/no-data.ts";
import { requestOrphan } from "./rules/request-orphan.ts";
import { requestQueue } from "./rules/request-queue.ts";
import { requestStall } from "./rules/request-stall.ts";
import { requestWell } from "./rules/request-well.ts";
import { secondary } from "./rules/secondary.ts";
import { staleGauge } from "./rules/stale-gauge.ts";
import { starting } from "./rules/starting.ts";
import { well } from "./rules/well.ts";
import type { Rule } from "./view.ts";

/**
 * Every rule, in the order in which they speak. The first that speaks of a subject is believed, and a later one sees
 * what was said: so causes stand before their consequences, one request before its pair, and what is well at the end.
 */
export const rules: readonly Rule[] = [
  ...[exited, starting, loopHang],
  ...[requestOrphan, requestStall, requestQueue, edgeOrphan, edgeStall, decodeStall],
  ...[secondary, canaryLost, noData, heldBack, staleGauge, busy, requestWell, edgeWell, well, fleet],
];
